"""Records what SciPy and statsmodels say of penguins.csv and longley.csv, for packages/kernels/tests/it/dependency.rs.

Run from the top of the repository: python tests/vectors/dependency/record.py
"""
import json
import sys

import numpy as np
import pandas as pd
import scipy
import statsmodels
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.diagnostic import het_breuschpagan, linear_reset
from statsmodels.stats.stattools import jarque_bera

columns = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
penguins = pd.read_csv("assets/samples/penguins.csv").dropna(subset=columns + ["species"])
longley = pd.read_csv("tests/vectors/dependency/longley.csv")


def pair(table, a, b):
    x, y = table[a].to_numpy(float), table[b].to_numpy(float)
    pearson, spearman = stats.pearsonr(x, y), stats.spearmanr(x, y)
    interval = pearson.confidence_interval(0.95)
    return {
        "first": a, "second": b, "n": len(x),
        "pearson": pearson.statistic, "pearsonP": pearson.pvalue,
        "lower": interval.low, "upper": interval.high,
        "spearman": spearman.statistic, "spearmanP": spearman.pvalue,
    }


def regression(table, y, xs):
    exog = sm.add_constant(table[xs].astype(float))
    fit = sm.OLS(table[y].astype(float), exog).fit()
    interval = fit.conf_int(0.05)
    bp, jb = het_breuschpagan(fit.resid, exog), stats.jarque_bera(fit.resid)
    reset = linear_reset(fit, power=2, use_f=True)
    return {
        "response": y, "predictors": xs,
        "params": list(fit.params), "bse": list(fit.bse), "p": list(fit.pvalues),
        "lower": list(interval[0]), "upper": list(interval[1]),
        "rSquared": fit.rsquared, "f": fit.fvalue, "fP": fit.f_pvalue, "residual": float(np.sqrt(fit.mse_resid)),
        "koenkerF": bp[2], "koenkerP": bp[3],
        "resetF": float(reset.statistic), "resetP": float(reset.pvalue),
        "jb": jb.statistic, "jbP": jb.pvalue,
    }


def anova(table, y, g):
    groups = [part[y].to_numpy(float) for _, part in sorted(table.groupby(g), key=lambda item: item[0])]
    f, levene = stats.f_oneway(*groups), stats.levene(*groups, center="median")
    return {"response": y, "group": g, "f": f.statistic, "p": f.pvalue,
            "leveneF": levene.statistic, "leveneP": levene.pvalue}


record = {
    "versions": {"python": sys.version.split()[0], "numpy": np.__version__, "scipy": scipy.__version__,
                 "statsmodels": statsmodels.__version__},
    "pairs": [pair(penguins, a, b) for i, a in enumerate(columns) for b in columns[i + 1:]],
    "regressions": [
        regression(penguins, "body_mass_g", ["flipper_length_mm"]),
        regression(penguins, "body_mass_g", ["bill_length_mm", "bill_depth_mm", "flipper_length_mm"]),
    ],
    "anovas": [anova(penguins, y, "species") for y in columns],
}
with open("tests/vectors/dependency/recorded.json", "w") as out:
    json.dump(record, out, indent=1)
    out.write("\n")
