"""Records what NumPy, SciPy and pandas say of numeric columns. Run beside the repository's assets; writes recorded.json."""
import json
import pathlib

import numpy as np
import pandas as pd
import scipy
from scipy import stats

HERE = pathlib.Path(__file__).resolve().parent
penguins = pd.read_csv(HERE / "../../../assets/samples/penguins.csv")
COLUMNS = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
PROBABILITIES = [0.0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0]

# A column without a lattice: exact decimals, skewed, some far out.
minted = [round(((k * 7919) % 4093) ** 2 / 1.7e5 + (k % 11) / 7, 6) for k in range(2500)]


def described(name, values):
    x = np.asarray(values, dtype=float)
    n = len(x)
    mean, s = x.mean(), x.std(ddof=1)
    half = stats.t.ppf(0.975, n - 1) * s / np.sqrt(n)
    edges = {rule: np.histogram_bin_edges(x, rule).tolist() for rule in ("fd", "scott", "sturges", "sqrt")}
    counts = {rule: np.histogram(x, rule)[0].tolist() for rule in edges}
    scott = s * n ** -0.2
    kde = stats.gaussian_kde(x, bw_method="scott")
    grid = np.linspace(x.min() - 3 * scott, x.max() + 3 * scott, 64)
    q1, q3 = np.quantile(x, [0.25, 0.75])
    return {
        "column": name,
        "n": n,
        "mean": mean,
        "deviation": s,
        "interval": [mean - half, mean + half],
        "quantiles": np.quantile(x, PROBABILITIES, method="linear").tolist(),
        "skewness": float(stats.skew(x)),
        "kurtosis": float(stats.kurtosis(x)),
        "edges": edges,
        "counts": counts,
        "silverman": 0.9 * min(s, (q3 - q1) / 1.34) * n ** -0.2,
        "scott": scott,
        "density": kde(grid).tolist(),
    }


record = {
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "pandas": pd.__version__},
    "probabilities": PROBABILITIES,
    "minted": minted,
    "columns": [described(name, penguins[name].dropna()) for name in COLUMNS] + [described("minted", minted)],
}
x, y = (penguins[c][penguins.bill_length_mm.notna()].to_numpy() for c in ("bill_length_mm", "bill_depth_mm"))
counts, ex, ey = np.histogram2d(x, y, bins=[7, 5])
record["cells"] = {"counts": counts.astype(int).tolist(), "x": ex.tolist(), "y": ey.tolist()}
(HERE / "recorded.json").write_text(json.dumps(record) + "\n")
