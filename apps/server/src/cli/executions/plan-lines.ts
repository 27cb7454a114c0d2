import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import { planTree } from '@beadloom/core/plan/plan-tree.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

/** The plan of an execution, as a tree of phases and subtasks; empty without one. */
export async function planLines(api: Pick<ApiClient, 'get'>, execution: string): Promise<string[]> {
  const { items } = await api.get<{ items: PhaseView[] }>(`/api/executions/${segment(execution)}/phases`)
  return treeLines(items)
}

/** The tree's lines, with their own indent. */
export const treeLines = (phases: Parameters<typeof planTree>[0]): string[] =>
  planTree(phases).map((line) => `${/^ */.exec(line)?.[0] ?? ''}${oneLiner(line)}`)
