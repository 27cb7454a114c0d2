import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { branchName } from '@beadloom/core/records/branch.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { newExecutionId, parseBeadId, parseProjectId } from '@beadloom/core/records/ids.ts'
import type { World } from '../support/world.ts'
import { commitOf, gitIn, patchOf, type Bench } from './repository.ts'
import { isRight, type Result } from './results.ts'
import type { Trial } from './trials.ts'

/** Longer than an idle server needs to begin a check. */
const FLAKY_SECONDS = 25
/** The longest note that a person may add to a bead. */
const LONGEST_CONTEXT = 19_000
/** The most text kept of a wrong verdict, in characters. */
const MOST_SAID = 160

/** Adds the project, and proves its base if needed. Rejects if nothing would start on it. */
export async function open(world: World, bench: Bench, say: (text: string) => void): Promise<void> {
  const { id, remote } = bench
  const { store } = world.server
  const project = parseProjectId(id)
  if (!store.project(project)) {
    const { status, body } = await world.api('POST', '/api/projects', { source: remote, id })
    if (status >= 300) throw new Error(`adding ${id} answered ${status}: ${JSON.stringify(body)}`)
  }
  const live = () => store.executions({ project, limit: 50 }).filter(({ state }) => !isTerminal(state))
  for (const left of live()) await world.api('POST', `/api/executions/${left.id}/cancel`)
  await world.until(() => live().length === 0)
  reset(world, bench)
  const environment = () => world.get<EnvironmentView>(`/api/projects/${id}/environment`)
  const isProved = async () => ['green', 'red', 'broken', 'stopped'].includes((await environment()).proof?.state ?? '')
  if (!(await isProved())) {
    say(`${id}: its base is prepared and proved`)
    await world.api('POST', `/api/projects/${id}/environment/prove`)
    await world.until(isProved)
  }
  const { proof } = await environment()
  say(`${id}: the base is ${proof?.state}. ${proof?.text ?? ''}`)
  if (proof?.state === 'broken' || proof?.state === 'stopped') throw new Error(`the base of ${id} is ${proof.text}`)
}

export type Played = { trial: Trial; bench: Bench; bead: string; whole: boolean }

/** A trial's result, with its execution and its duration. */
export type Verdict = { result: Result; execution: ExecutionView; seconds: number }

/** Hands a piece of work in and waits for its end. */
export async function play(world: World, { trial, bench, bead, whole }: Played, commit: string): Promise<Verdict> {
  const { exercise, base, kind, id } = trial
  const began = Date.now()
  const edits =
    typeof trial.edits === 'function' ? trial.edits(Math.floor(Date.now() / 1000) + FLAKY_SECONDS) : trial.edits
  const scratch = mkdtempSync(join(tmpdir(), 'bl-trial-'))
  try {
    const work = commitOf(bench.remote, exercise.name, edits, join(scratch, 'index'))
    const patch = whole ? patchOf(bench.remote, work) : ''
    const byAgent = whole && patch.length <= LONGEST_CONTEXT
    const ended = byAgent ? await byAnAgent(world, bench, bead, patch) : await handedIn(world, bench, bead, work)
    const result: Result = {
      id,
      set: exercise.set,
      language: exercise.language,
      exercise: exercise.name,
      base,
      kind,
      whole: byAgent,
      state: ended.state,
      reason: ended.reason ?? null,
      said: '',
      commit,
      at: new Date().toISOString().slice(0, 10),
    }
    if (!isRight(result)) result.said = (ended.verifications.at(-1)?.summary ?? ended.detail ?? '').slice(0, MOST_SAID)
    return { result, execution: ended, seconds: Math.round((Date.now() - began) / 1000) }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const byAnAgent = (world: World, { id }: Bench, bead: string, context: string): Promise<ExecutionView> =>
  world.run(id, bead, { agent: 'command', context })

/**
 * Starts an execution as after a person's permission: it begins with the checks of the bead's branch, then continues as
 * usual.
 */
async function handedIn(world: World, { id, remote }: Bench, bead: string, commit: string): Promise<ExecutionView> {
  const { store } = world.server
  const [project, beadId] = [parseProjectId(id), parseBeadId(bead)]
  const title = store.bead(project, beadId)?.title
  if (title === undefined) throw new Error(`${id} has no bead ${bead}`)
  const branch = branchName(bead, title)
  gitIn(remote, ['push', '--quiet', '--force', join(world.data, 'hub', `${id}.git`), `${commit}:refs/heads/${branch}`])
  const queued = store.queueExecution({
    id: newExecutionId(Math.random),
    project,
    bead: beadId,
    kind: 'work',
    branch,
    context: '',
    maxAttempts: 1,
    checksFirst: true,
  })
  if ('refused' in queued) throw new Error(queued.refused)
  return world.ended(queued.id)
}

/** Resets the work branch to its state before any merge. Nothing of the project may be running. */
export function reset(world: World, { id, remote }: Bench): void {
  const hub = join(world.data, 'hub', `${id}.git`)
  for (const [gitDir, ref] of [
    [remote, 'refs/heads/beadloom/work'],
    [hub, 'refs/heads/beadloom/work'],
    [hub, 'refs/remotes/origin/beadloom/work'],
  ] as const)
    gitIn(gitDir, ['update-ref', '-d', ref])
}
