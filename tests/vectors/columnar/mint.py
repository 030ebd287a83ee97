"""Mints the vectors of this folder. Run inside it: python mint.py; needs pyarrow and polars."""
import datetime as dt
import decimal
import json
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import polars as pl

D = decimal.Decimal
rows = [
    # station, count, level, open, when, day, price, zone
    ("Örebro", 3, 0.5, True, dt.datetime(2007, 11, 11, 9, 30, 15), dt.date(2007, 11, 11), D("12.50")),
    ("a \"quoted\" name, with comma", -2, -1e-7, False, dt.datetime(1969, 12, 31, 23, 59, 59, 250000), dt.date(1900, 2, 28), D("0.05")),
    (None, 9007199254740991, 1e21, None, None, None, None),
    ("NA", None, None, True, dt.datetime(2000, 2, 29), dt.date(2000, 2, 29), D("-3.00")),
    ("Örebro", 0, 0.1, True, dt.datetime(2007, 11, 11, 9, 30, 15), dt.date(9999, 12, 31), D("7.00")),
]
names = ["station", "count", "level", "open", "when", "day", "price"]
columns = list(zip(*rows))
table = pa.table({
    "station": pa.array(columns[0], pa.string()),
    "count": pa.array(columns[1], pa.int64()),
    "level": pa.array(columns[2], pa.float64()),
    "open": pa.array(columns[3], pa.bool_()),
    "when": pa.array(columns[4], pa.timestamp("us")),
    "day": pa.array(columns[5], pa.date32()),
    "price": pa.array(columns[6], pa.decimal128(9, 2)),
})
for codec in ["none", "snappy", "gzip", "zstd", "lz4"]:
    pq.write_table(table, f"stations-{codec}.parquet", compression=codec, row_group_size=2)
pq.write_table(table, "stations-v2.parquet", compression="zstd", data_page_version="2.0", use_dictionary=False,
               column_encoding={"count": "DELTA_BINARY_PACKED", "station": "DELTA_BYTE_ARRAY", "level": "BYTE_STREAM_SPLIT"})
pq.write_table(table, "refused-brotli.parquet", compression="brotli")
for codec in ["uncompressed", "lz4", "zstd"]:
    feather.write_feather(table, f"stations-{codec}.feather", compression=codec, chunksize=2)
feather.write_feather(table.select(["count"]), "refused-version-1.feather", version=1)
keyed = table.set_column(0, "station", table["station"].dictionary_encode())
with ipc.new_stream("stations-dictionary.arrows", keyed.schema) as writer:
    writer.write_table(keyed, max_chunksize=2)
pq.write_table(keyed, "stations-dictionary.parquet")
pl.from_arrow(table).write_parquet("stations-polars.parquet")
pl.from_arrow(table).write_ipc("stations-polars.arrow", compression="zstd")
nested = pa.table({"plain": pa.array([1, 2]), "lists": pa.array([[1], [2, 3]])})
pq.write_table(nested, "refused-nested.parquet")
feather.write_feather(nested, "refused-nested.feather", compression="uncompressed")


def iso(value):
    text = value.isoformat()
    return text.rstrip("0") if "." in text else text


def cell(value):
    if value is None:
        return None
    if isinstance(value, (dt.datetime, dt.date)):
        return iso(value)
    if isinstance(value, D):
        return float(value)
    return value


with open("stations.json", "w") as file:
    json.dump([{n: cell(v) for n, v in zip(names, row)} for row in rows], file, ensure_ascii=False, indent=0)


def field(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dt.datetime, dt.date)):
        return iso(value)
    if isinstance(value, float):
        return repr(value)
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"') else text


with open("stations.csv", "w") as file:
    for row in [names, *rows]:
        file.write(",".join(field(v) for v in row) + "\n")
