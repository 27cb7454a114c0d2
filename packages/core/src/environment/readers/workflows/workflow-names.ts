const MOST_WORKFLOWS = 20

/** The setup of GitHub's own agent: it tells more than a workflow that tests a release. */
const COPILOT = /^copilot-setup-steps\.ya?ml$/

/** Names of a commit's workflows, the telling ones first. */
export function workflowNames(names: readonly string[]): string[] {
  const rank = (name: string): number =>
    COPILOT.test(name) ? 0 : /^(?:ci|tests?|main|build|check)\b/i.test(name) ? 1 : 2
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, MOST_WORKFLOWS)
}
