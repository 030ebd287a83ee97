"""Mints the workbooks of this folder. Run inside it: python mint_xlsx.py; needs openpyxl."""
import datetime as dt
import openpyxl

NAMES = ["station", "count", "level", "open", "when", "day"]
ROWS = [
    ["Örebro", 3, 0.5, True, dt.datetime(2007, 11, 11, 9, 30, 15), dt.date(2007, 11, 11)],
    ['a "quoted" name, with comma', -2, -1e-7, False, dt.datetime(1969, 12, 31, 23, 59, 59, 250000), dt.date(1999, 2, 28)],
    [None, 9007199254740991, 123456.75, None, None, None],
    ["NA", None, None, True, dt.datetime(2000, 2, 29, 12), dt.date(2000, 2, 29)],
    ["Örebro", 0, 0.1, True, dt.datetime(2007, 11, 11, 9, 30, 15), dt.date(9999, 12, 31)],
]


def book():
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Stations"
    return workbook, sheet


workbook, sheet = book()
for row in [NAMES, *ROWS]:
    sheet.append(row)
workbook.create_sheet("Other").append(["x"])
workbook["Other"].append([1])
workbook.save("stations.xlsx")

workbook, sheet = book()
# A title above would be the row of names; the table may stand anywhere.
for at, row in enumerate([["id", "twice"], [1, "=A1*2"], [], [2, "=A4*2"]]):
    for column, value in enumerate(row):
        sheet.cell(at + 3, column + 3, value)
workbook.save("formulas.xlsx")

workbook, sheet = book()
for row in [["a", "b"], [1, "#DIV/0!"], [2, 3]]:
    sheet.append(row)
sheet["B2"].data_type = "e"
workbook.save("refused-error.xlsx")

workbook, sheet = book()
for row in [["a", "b"], [1, 2], [None, 3]]:
    sheet.append(row)
sheet.merge_cells("A2:A3")
workbook.save("refused-merged.xlsx")

workbook, sheet = book()
for row in [["a", "b"], [1, 2], [3, 4, "remark"]]:
    sheet.append(row)
workbook.save("refused-beside.xlsx")
