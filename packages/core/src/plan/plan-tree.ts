import type { Subtask, SubtaskType } from '../records/plan.ts'

/** The status of a phase or a subtask. `retrying`: its review said no once, and it is done again. `asking`: its agent has a question. */
export type PhaseStatus = 'pending' | 'running' | 'completed' | 'failed' | 'retrying' | 'asking'

export type PhaseInTree = { status: PhaseStatus; subtasks: readonly SubtaskInTree[] }
export type SubtaskInTree = Pick<Subtask, 'id' | 'title' | 'type'> & { status: PhaseStatus }

const glyphs: Record<PhaseStatus, string> = {
  pending: '○',
  running: '●',
  completed: '✓',
  failed: '✕',
  retrying: '●',
  asking: '?',
}

const noted: readonly PhaseStatus[] = ['running', 'failed', 'asking']

/** A plan as lines of text: each phase with its status, and its subtasks below it. */
export function planTree(phases: readonly PhaseInTree[]): string[] {
  return phases.flatMap(({ status, subtasks }, at) => [
    `Phase ${at + 1} (${typesOf(subtasks)}): ${glyphs[status]} ${whatOf(status, subtasks)}`,
    ...subtasks.map((one, place) => {
      const branch = place === subtasks.length - 1 ? '└──' : '├──'
      const note = noted.includes(one.status) ? ` (${one.status})` : ''
      return `  ${branch} ${glyphs[one.status]} [${one.type}] ${one.title}${note}`
    }),
  ])
}

/** "test", or "test and impl" if a phase has both. */
export const typesOf = (subtasks: readonly { type: SubtaskType }[]): string =>
  [...new Set(subtasks.map(({ type }) => type))].join(' and ')

function whatOf(status: PhaseStatus, subtasks: readonly SubtaskInTree[]): string {
  const titles = subtasks.map(({ title }) => title).join(', ')
  const done = subtasks.filter((one) => one.status === 'completed').length
  switch (status) {
    case 'pending':
      return `Pending - ${titles}`
    case 'running':
    case 'asking':
      return `Running (${done}/${subtasks.length} subtasks complete)`
    case 'retrying':
      return `Running again (${done}/${subtasks.length} subtasks complete)`
    case 'failed':
      return `Failed - ${titles}`
    case 'completed':
      return titles
  }
}
