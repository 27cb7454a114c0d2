import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { CrashPoint } from '@beadloom/server/src/process/crash-point.ts'
import { BROKEN, CRASH, ledger } from './ledger-project.ts'
import type { Victim } from './victim.ts'

/** The course that an execution takes to pass a crash point. */
export type Course = 'passes' | 'fails' | 'is cancelled' | 'runs again'

/** In the order in which an execution passes them; after a kill at one point it comes to the next one. */
export const pointsOf: Record<Course, readonly CrashPoint[]> = {
  passes: [
    'after-claim',
    'after-create',
    'before-start',
    'after-start',
    'before-first-commit',
    'after-session-end',
    'before-remove',
    'after-verification',
    'after-candidate',
    'after-advance',
    'after-push',
    'after-end',
    'after-bead-move',
    'after-bead-step',
  ],
  fails: ['after-follow-up'],
  'is cancelled': ['before-reason-stored', 'after-reason-stored'],
  'runs again': ['after-retry-stored'],
}

/**
 * The points of work by a plan, in the order in which each phase passes them; the last one only if a person is asked.
 */
export const pointsOfPhases: readonly CrashPoint[] = [
  'after-phase-begun',
  'after-round-begun',
  'before-tree-stored',
  'before-phase-stored',
  'after-phase-approved',
  'after-wait-stored',
]

/** The command line of an agent that takes this course. */
export function agentOf(course: Course, bead: string): string {
  const short = ledger(bead, 'steady', 60)
  switch (course) {
    case 'passes':
      return short
    case 'fails':
      return `touch ${BROKEN} && ${short}`
    case 'is cancelled':
      return ledger(bead, 'steady')
    case 'runs again':
      return `if [ -e .git/ran ]; then ${short}; else touch .git/ran; ${CRASH}; fi`
  }
}

const request: Record<Course, object> = {
  passes: {},
  fails: {},
  'is cancelled': {},
  'runs again': { retryCount: 2, retryDelay: 100, retryBackoff: 'fixed' },
}

export const endOf: Record<Course, ExecutionView['state']> = {
  passes: 'COMPLETED',
  fails: 'FAILED',
  'is cancelled': 'CANCELLED',
  'runs again': 'COMPLETED',
}

/**
 * Runs one bead, kills the server at each of these points in turn and starts it again. Returns the execution's id.
 * Throws if it ends without passing a point. The server is stopped before and runs after.
 */
export async function killedAt(
  victim: Victim,
  { project, bead, course, points }: { project: string; bead: string; course: Course; points: readonly CrashPoint[] },
): Promise<string> {
  let id: string | null = null
  for (const point of points) {
    await victim.again({ CRASH_AT: point })
    // The kill may cut off the request itself; the store knows whether it was taken.
    id ??= await victim.queue(project, bead, request[course])
    const over = comeToEnd(victim, id, course)
    const first = await Promise.race([victim.gone.then(() => 'killed'), over.catch(() => 'killed')])
    if (first !== 'killed') throw new Error(`${bead} ended without passing ${point}`)
    await victim.crashed()
  }
  await victim.again()
  if (id === null) throw new Error('no points')
  await comeToEnd(victim, id, course)
  await victim.ended(id)
  return id
}

async function comeToEnd(victim: Victim, id: string, course: Course): Promise<void> {
  if (course === 'is cancelled') {
    await victim.until(id, ({ state, sessions }) => isTerminal(state) || sessions.some(running))
    const { state } = await victim.execution(id)
    if (!isTerminal(state)) await victim.api('POST', `/api/executions/${id}/cancel`)
  }
  await victim.ended(id)
}

const running = ({ kind, state }: ExecutionView['sessions'][number]): boolean => kind === 'work' && state === 'running'
