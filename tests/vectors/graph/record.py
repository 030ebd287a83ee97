"""Values of networkx for two graphs, written beside this script.

    python3 -m venv venv && venv/bin/pip install networkx==3.6.1 numpy==2.4.6 scipy==1.17.1
    venv/bin/python record.py

The graphs are taken as this project takes them: without direction unless said, links of a node with itself left out,
several links between two nodes merged, no weights unless said.
"""

import json
from pathlib import Path

import networkx as nx

HERE = Path(__file__).parent


def measures(graph, weight=None):
    pagerank = nx.pagerank(graph, alpha=0.85, tol=1e-15, max_iter=10_000, weight=weight)
    betweenness = nx.betweenness_centrality(graph, normalized=True)
    undirected = graph.to_undirected() if graph.is_directed() else graph
    clustering = nx.clustering(undirected)
    closed = [clustering[node] for node in undirected if undirected.degree(node) >= 2]
    values = {
        "nodes": graph.number_of_nodes(),
        "links": graph.number_of_edges(),
        "density": nx.density(graph),
        "components": nx.number_connected_components(undirected),
        "transitivity": nx.transitivity(undirected),
        "meanClustering": sum(closed) / len(closed),
        "degreeAssortativity": nx.degree_assortativity_coefficient(graph),
        "degree": {str(node): undirected.degree(node) for node in sorted(graph, key=str)},
        "betweenness": {str(node): betweenness[node] for node in sorted(graph, key=str)},
        "pageRank": {str(node): pagerank[node] for node in sorted(graph, key=str)},
    }
    if graph.is_directed():
        values["strongComponents"] = nx.number_strongly_connected_components(graph)
        values["reciprocity"] = nx.overall_reciprocity(graph)
        values["inDegree"] = {str(node): graph.in_degree(node) for node in sorted(graph, key=str)}
        values["outDegree"] = {str(node): graph.out_degree(node) for node in sorted(graph, key=str)}
    return values


def modularities(graph, partition, weight):
    groups = {}
    for node, group in partition.items():
        groups.setdefault(group, set()).add(node)
    return {
        str(resolution): nx.community.modularity(graph, groups.values(), weight=weight, resolution=resolution)
        for resolution in (0.5, 1, 2)
    }


karate = nx.karate_club_graph()
for _, _, attributes in karate.edges(data=True):
    attributes["weight"] = int(attributes["weight"])
clubs = {node: attributes["club"] for node, attributes in karate.nodes(data=True)}
(HERE / "karate.json").write_text(json.dumps(nx.node_link_data(karate, edges="links"), indent=None) + "\n")

source = json.loads((HERE / "miserables.json").read_text())
names = [node["name"] for node in source["nodes"]]
miserables, directed = nx.Graph(), nx.DiGraph()
for graph in (miserables, directed):
    graph.add_nodes_from(names)
    for link in source["links"]:
        graph.add_edge(names[link["source"]], names[link["target"]], weight=link["value"])
groups = {node["name"]: node["group"] for node in source["nodes"]}

values = {
    "karate": measures(karate)
    | {"modularityOfClubs": modularities(karate, clubs, None), "weightedModularityOfClubs": modularities(karate, clubs, "weight")}
    | {"bestLouvain": max(nx.community.modularity(karate, nx.community.louvain_communities(karate, weight=None, seed=seed), weight=None) for seed in range(100))},
    "karateWeighted": {"pageRank": measures(karate, "weight")["pageRank"]},
    "miserables": measures(miserables)
    | {"modularityOfGroups": modularities(miserables, groups, None)}
    | {"bestLouvain": max(nx.community.modularity(miserables, nx.community.louvain_communities(miserables, weight=None, seed=seed), weight=None) for seed in range(100))},
    "miserablesDirected": measures(directed),
}
(HERE / "networkx.json").write_text(json.dumps(values, indent=1) + "\n")
