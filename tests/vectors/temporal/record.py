"""Records what SciPy says of nile.csv and of ties, for packages/kernels/tests/it/temporal.rs.

Run from the top of the repository: python tests/vectors/temporal/record.py
"""
import json
import sys

import numpy as np
import pandas as pd
import scipy
from scipy import stats

nile = pd.read_csv("tests/vectors/temporal/nile.csv")


def trend(t, y):
    t, y = np.asarray(t, float), np.asarray(y, float)
    sen, tau, line = stats.theilslopes(y, t, 0.95), stats.kendalltau(t, y, method="asymptotic"), stats.linregress(t, y)
    return {"n": len(t), "time": list(t), "values": list(y), "slope": sen.slope, "intercept": sen.intercept,
            "lower": sen.low_slope, "upper": sen.high_slope, "tau": tau.statistic, "tauP": tau.pvalue,
            "ols": line.slope, "olsError": line.stderr}


record = {
    "versions": {"python": sys.version.split()[0], "numpy": np.__version__, "scipy": scipy.__version__},
    "trends": [
        trend(nile.year, nile.volume),
        trend([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15], [3, 3, 4, 4, 4, 6, 5, 7, 7, 9, 9, 8]),
    ],
}
with open("tests/vectors/temporal/recorded.json", "w") as out:
    json.dump(record, out, indent=1)
    out.write("\n")
