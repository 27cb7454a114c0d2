import type { PhaseView } from '@beadloom/core/api/phase-api.ts'
import { planTree } from '@beadloom/core/plan/plan-tree.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

/** The plan by which an execution works, as a tree of phases and subtasks; nothing where it has none. */
export async function planLines(api: Pick<ApiClient, 'get'>, execution: string): Promise<string[]> {
  const { items } = await api.get<{ items: PhaseView[] }>(`/api/executions/${segment(execution)}/phases`)
  return treeLines(items)
}

/** The tree's own indent stays. */
export const treeLines = (phases: Parameters<typeof planTree>[0]): string[] =>
  planTree(phases).map((line) => `${/^ */.exec(line)?.[0] ?? ''}${oneLiner(line)}`)
