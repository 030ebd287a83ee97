"""Records what scikit-learn says of iris, wine and penguins: python record.py PENGUINS_CSV OUT_DIR."""

import csv
import json
import sys

import numpy as np
import sklearn
from sklearn.cluster import DBSCAN, HDBSCAN, KMeans
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.metrics import silhouette_score

PENGUINS = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


def penguins(path):
    rows = []
    for row in csv.DictReader(open(path)):
        try:
            rows.append([float(row[name]) for name in PENGUINS])
        except ValueError:
            pass
    return np.array(rows)


def zscore(x):
    return (x - x.mean(0)) / x.std(0, ddof=1)


def write_csv(path, names, x):
    with open(path, "w") as out:
        out.write(",".join(names) + "\n")
        for row in x:
            out.write(",".join(repr(float(value)) for value in row) + "\n")


def main(penguins_csv, out_dir):
    iris, wine = load_iris(), load_wine()
    iris_names = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
    wine_names = [name.replace("/", "_") for name in wine.feature_names]
    write_csv(f"{out_dir}/iris.csv", iris_names, iris.data)
    write_csv(f"{out_dir}/wine.csv", wine_names, wine.data)
    tables = {
        "iris": (iris_names, iris.data, 0.5, 0.8),
        "wine": (wine_names, wine.data, 35.0, 2.2),
        "penguins": (PENGUINS, penguins(penguins_csv), 40.0, 0.6),
    }
    recorded = {"scikit-learn": sklearn.__version__, "numpy": np.__version__, "tables": []}
    for table, (names, raw, eps_raw, eps_z) in tables.items():
        for standardize, x, eps in (("none", raw, eps_raw), ("zscore", zscore(raw), eps_z)):
            dense = []
            for min_size, min_points in ((5, 5), (8, 5), (15, 5)):
                fit = HDBSCAN(min_cluster_size=min_size, min_samples=min_points, copy=True).fit(x)
                dense.append(
                    {
                        "minSize": min_size,
                        "minPoints": min_points,
                        "labels": fit.labels_.tolist(),
                        "strengths": [float(p) for p in fit.probabilities_],
                    }
                )
            scale = DBSCAN(eps=eps, min_samples=5).fit(x)
            core = np.zeros(len(x), dtype=int)
            core[scale.core_sample_indices_] = 1
            means = KMeans(n_clusters=3, n_init=50, tol=0.0, max_iter=1000, random_state=1).fit(x)
            pca = PCA(svd_solver="full").fit(x)
            recorded["tables"].append(
                {
                    "table": table,
                    "columns": names,
                    "standardize": standardize,
                    "hdbscan": dense,
                    "dbscan": {
                        "epsilon": eps,
                        "minPoints": 5,
                        "labels": scale.labels_.tolist(),
                        "cores": core.tolist(),
                    },
                    "kmeans": {
                        "k": 3,
                        "inertia": float(means.inertia_),
                        "labels": means.labels_.tolist(),
                        "silhouette": float(silhouette_score(x, means.labels_)),
                    },
                    "pca": {
                        "variances": pca.explained_variance_.tolist(),
                        "ratios": pca.explained_variance_ratio_.tolist(),
                        "loadings": pca.components_.tolist(),
                    },
                }
            )
    with open(f"{out_dir}/recorded.json", "w") as out:
        json.dump(recorded, out, separators=(",", ":"))
        out.write("\n")


main(*sys.argv[1:])
