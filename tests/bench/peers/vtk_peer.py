"""VTK, offscreen: `points` drawn as spheres in its shader, or `glyphs`, a low-poly sphere a mark in one mapper.

Each mark has an identity (its point id) and a color. No multisampling, no depth peeling, one light: its fastest.
"""

import sys

import numpy
import vtk
from vtk.util import numpy_support

import scene

style, count = sys.argv[1], int(sys.argv[2])
places, colors = scene.marks(count)

cloud = vtk.vtkPolyData()
points = vtk.vtkPoints()
points.SetData(numpy_support.numpy_to_vtk(places, deep=True))
cloud.SetPoints(points)
array = numpy_support.numpy_to_vtk(colors, deep=True)
array.SetName("color")
cloud.GetPointData().SetScalars(array)

if style == "points":
    cells = vtk.vtkCellArray()
    ids = numpy.arange(count, dtype=numpy.int64)
    cells.SetData(1, numpy_support.numpy_to_vtk(ids, deep=True, array_type=vtk.VTK_ID_TYPE))
    cloud.SetVerts(cells)
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(cloud)
else:
    sphere = vtk.vtkSphereSource()
    sphere.SetThetaResolution(6)
    sphere.SetPhiResolution(4)
    sphere.SetRadius(scene.diameter(count) / 2)
    mapper = vtk.vtkGlyph3DMapper()
    mapper.SetInputData(cloud)
    mapper.SetSourceConnection(sphere.GetOutputPort())
    mapper.ScalingOff()
mapper.SetColorModeToDirectScalars()
actor = vtk.vtkActor()
actor.SetMapper(mapper)
if style == "points":
    actor.GetProperty().RenderPointsAsSpheresOn()

renderer = vtk.vtkRenderer()
renderer.SetBackground(0.97, 0.96, 0.95)
renderer.AddActor(actor)
window = vtk.vtkRenderWindow()
window.SetOffScreenRendering(1)
window.SetMultiSamples(0)
window.SetSize(scene.WIDTH, scene.HEIGHT)
window.AddRenderer(renderer)
view = renderer.GetActiveCamera()
view.SetViewAngle(scene.FOV_Y)


def draw(name, frame):
    eye, target = scene.camera(name, frame)
    view.SetPosition(*eye)
    view.SetFocalPoint(*target)
    view.SetViewUp(0, 1, 0)
    view.SetClippingRange(0.02, 40.0)
    if style == "points":
        # A size in pixels for all of them: that of a mark in the middle of the volume.
        size = scene.diameter(count) * scene.pixels_per_meter(name)
        actor.GetProperty().SetPointSize(max(size, 1.0))
    window.Render()
    window.WaitForCompletion()


def pixels():
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.ShouldRerenderOff()
    grab.Update()
    return numpy_support.vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars()).copy()


def differ(name):
    draw(name, 0)
    before = pixels()
    draw(name, 9)
    return int((pixels() != before).any(axis=1).sum())


def pick():
    selector = vtk.vtkHardwareSelector()
    selector.SetRenderer(renderer)
    x, y = scene.WIDTH // 2, scene.HEIGHT // 2
    # One pixel alone selects nothing.
    selector.SetArea(x, y, x + 1, y + 1)
    selector.SetFieldAssociation(vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS)
    return selector.Select().GetNumberOfNodes()


draw("medium", 0)
said = window.ReportCapabilities()
device = next((line.split(":", 1)[1].strip() for line in said.splitlines() if "renderer string" in line), "unknown")
version = vtk.vtkVersion.GetVTKVersion()
scene.answer(f"vtk {style}", version, device, count, scene.asked(), draw, differ, pick)
