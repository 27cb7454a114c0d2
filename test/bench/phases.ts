import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventView, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { print, plannedProject, planText, subtask } from '../support/planned.ts'
import { BareDocker } from './support/bare-container.ts'
import { PROJECT } from './support/bench-project.ts'
import { figure, type Part, type Report } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'

const ROUNDS = 5
const PHASES = 4
/** In milliseconds UTC, by the clock that all containers of this machine share. */
const TELL = 'echo "at $(date +%s%3N)" >&2'
/** A subtask, its checks, and its review. */
const SESSIONS = 3

const yes = JSON.stringify({ issues: [], summary: 'Fine.', pr_ready: true })
const files = {
  agent: `${TELL}\ncat > /tmp/prompt\ndate +%s%N >> "$(sed -n 's/^\\*\\*Subtask:\\*\\* Do //p' /tmp/prompt).txt"\n`,
  reviewer: `${print(yes)}${TELL}\n`,
}
const plan = Array.from({ length: PHASES }, (_, at) =>
  subtask(`s${at + 1}`, { type: 'refactor', dependsOn: at === 0 ? [] : [`s${at}`] }),
)

/**
 * The time that work by a plan adds between its agents: from the last output of a phase's last session, its review, to
 * the first output of the next phase; and from the first output of an execution to its last. The baseline is as many
 * bare containers, one after the other, that only tell the time.
 */
export async function phases(asked: number | null): Promise<Report> {
  const rounds = asked ?? ROUNDS
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')))
  const bare = new BareDocker()
  try {
    const beads = Array.from({ length: rounds + 1 }, (_, at) => ({ id: `be-${at}`, title: 'A plan' }))
    const project = plannedProject({
      agent: files.agent,
      architect: 'exit 1\n',
      config: { test: 'true', review: { command: 'sh reviewer.sh' } },
      files: { 'reviewer.sh': files.reviewer },
    })
    await server.addProject(PROJECT, project, beads)
    await byPlan(server, 'be-0') // makes the image
    const image = await bare.projectImage(PROJECT)
    const measured: { ours: Timed; beside: Timed }[] = []
    for (let round = 1; round <= rounds; round++)
      measured.push({ ours: await byPlan(server, `be-${round}`), beside: await inTurn(bare, image) })
    const gaps = (of: 'ours' | 'beside') => measured.flatMap((one) => one[of].gaps)
    const wholes = (of: 'ours' | 'beside') => measured.map((one) => one[of].whole)
    return {
      rows: [
        {
          bench: 'phases',
          what: 'last word of a phase → first word of the next one',
          ours: figure('ms', gaps('ours')),
          baseline: { what: 'one bare container after another', figure: figure('ms', gaps('beside')) },
          aim: null,
        },
        {
          bench: 'phases',
          what: `${PHASES} phases, each with a subtask, checks and a review`,
          ours: figure('ms', wholes('ours')),
          baseline: { what: `${PHASES * SESSIONS} bare containers in turn`, figure: figure('ms', wholes('beside')) },
          aim: null,
        },
      ],
      parts: [
        {
          title: 'From one phase to the next, in milliseconds after its last word:',
          parts: partsOf(measured.flatMap(({ ours }) => ours.steps)),
        },
      ],
    }
  } finally {
    await server.stop()
    await bare.removeImages(PROJECT)
  }
}

/** Milliseconds; `gaps` from each phase to the next. */
type Timed = { whole: number; gaps: number[]; steps: Map<string, number>[] }

async function byPlan(server: ServerProcess, bead: string): Promise<Timed> {
  await server.api('PUT', `/api/projects/${PROJECT}/beads/${bead}/plan`, JSON.parse(planText(plan)))
  const { id } = await server.queue(PROJECT, bead)
  const { view, events } = await server.ended(id)
  if (view.state !== 'COMPLETED') throw new Error(`the work by a plan ended as ${view.state}: ${view.detail}`)
  const begins = await timesOf(server, view, 'subtask')
  const ends = await timesOf(server, view, 'review')
  const between = ends.slice(0, -1).map((from, at) => ({ from, to: begins[at + 1] ?? Number.NaN, phase: at + 1 }))
  return {
    whole: (ends.at(-1) ?? Number.NaN) - (begins[0] ?? Number.NaN),
    gaps: between.map(({ from, to }) => to - from),
    steps: between.map(({ from, to, phase }) => stepsOf(view, events, phase, { from, to })),
  }
}

/** The times that the sessions with this role told, phase by phase. */
async function timesOf(server: ServerProcess, { inPhases = [] }: ExecutionView, role: string): Promise<number[]> {
  const own = inPhases.filter((one) => one.role === role)
  if (own.length !== PHASES) throw new Error(`there are ${own.length} sessions (${role}) and not ${PHASES}`)
  return Promise.all(
    own.map(async ({ id }) => {
      const headers = { authorization: `Bearer ${server.token}` }
      const log = await (await fetch(`${server.url}/api/sessions/${id}/log/raw?ansi=0`, { headers })).text()
      const [, at] = /at (\d{13})/.exec(log) ?? []
      if (at === undefined) throw new Error(`the session ${id} has not told the time:\n${log}`)
      return Number(at)
    }),
  )
}

/** When each step between a phase and the next was done. */
function stepsOf(
  { sessions, inPhases = [] }: ExecutionView,
  events: EventView[],
  phase: number,
  { from, to }: { from: number; to: number },
): Map<string, number> {
  const session = (of: number, role: string) => {
    const known = inPhases.find((one) => one.phase === of && one.role === role)
    return sessions.find(({ id }) => id === known?.id)
  }
  const next = session(phase + 1, 'subtask')
  const told = (type: string, number: number) =>
    events.find((one) => one.type === type && (one.data as { phase?: number }).phase === number)?.at
  const said = (type: string, title: string) =>
    events.find(
      (one) => one.session === next?.id && one.type === type && (one.data as { title?: string }).title === title,
    )?.at
  const marks: [string, number | null | undefined][] = [
    ['review: its session has ended', session(phase, 'review')?.endedAt],
    ['phase: approved, the branch has moved', told('phase_completed', phase)],
    ['phase: the next one begins', told('phase_started', phase + 1)],
    ['subtask: its session begins', next?.startedAt],
    ['subtask: has its order', said('section', 'checkout')],
    ['subtask: has checked out', said('section_end', 'checkout')],
    ['subtask: its first word', to],
  ]
  return new Map(marks.flatMap(([what, at]) => (typeof at === 'number' ? [[what, at - from] as const] : [])))
}

function partsOf(steps: Map<string, number>[]): Part[] {
  const names = [...(steps[0]?.keys() ?? [])]
  return names.map((what) => ({
    what,
    figure: figure(
      'ms',
      steps.flatMap((one) => one.get(what) ?? []),
    ),
  }))
}

/** Runs as many bare containers, each when the one before it is gone. */
async function inTurn(bare: BareDocker, image: string): Promise<Timed> {
  const told: number[] = []
  for (let session = 0; session < PHASES * SESSIONS; session++) {
    let said = ''
    await bare.run(image, ['/bin/sh', '-c', TELL], (chunk) => (said += chunk.toString('latin1')))
    told.push(Number(/at (\d{13})/.exec(said)?.[1]))
  }
  const gaps = Array.from({ length: PHASES - 1 }, (_, at) => {
    const first = (at + 1) * SESSIONS
    return (told[first] ?? Number.NaN) - (told[first - 1] ?? Number.NaN)
  })
  return { whole: (told.at(-1) ?? Number.NaN) - (told[0] ?? Number.NaN), gaps, steps: [] }
}
