//! The orbit: it stands where the plan's viewpoints say and never turns over.

use bevy::math::Vec3;
use knowledge::wire::v1::DeviceClass;
use plan::Camera;

use crate::OrbitCamera;

fn close(one: Vec3, other: [f64; 3]) -> bool {
    one.distance(Vec3::from_array(other.map(|meter| meter as f32))) < 1e-3
}

#[test]
fn it_stands_where_each_named_viewpoint_is() {
    let home = Camera::home(DeviceClass::DesktopMonitor);
    let mut orbit = OrbitCamera::new(home);
    assert!(close(orbit.eye(), home.eye));
    for viewpoint in [Camera::front(), Camera::top(), Camera::side()] {
        orbit.go(viewpoint);
        assert!(
            close(orbit.eye(), viewpoint.eye),
            "{:?} is not {:?}",
            orbit.eye(),
            viewpoint.eye
        );
    }
    orbit.go_home();
    assert!(close(orbit.eye(), home.eye));
}

#[test]
fn it_stops_at_the_top_and_keeps_its_distance() {
    let home = Camera::home(DeviceClass::DesktopMonitor);
    let mut orbit = OrbitCamera::new(home);
    let target = Vec3::from_array(home.target.map(|meter| meter as f32));
    let distance = orbit.eye().distance(target);
    orbit.turn(0.4, 9.0);
    assert!((orbit.eye() - target).normalize().dot(Vec3::Y) > 0.999);
    assert!((orbit.eye().distance(target) - distance).abs() < 1e-4);
    orbit.near(0.5);
    assert!((orbit.eye().distance(target) - 0.5 * distance).abs() < 1e-4);
    orbit.near(1e-9);
    assert!(orbit.eye().distance(target) > 0.1, "never into what it looks at");
}
