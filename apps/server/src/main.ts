import { createHmac, randomBytes } from 'node:crypto'
import { LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { tightMemory } from '@beadloom/core/project/memory-share.ts'
import { tokenPath } from './health/server-file.ts'
import { composeAnswers, type Answers } from './compose/answers.ts'
import { openParts, type Overrides, type Parts } from './compose/parts.ts'
import type { Address, Place } from './compose/place.ts'
import { serve, type Serving } from './compose/serving.ts'
import { composeWorking, type Working } from './compose/working.ts'
import { demoRepository } from './hub/clones/demo-repository.ts'
import type { LogReader } from './ports/logs.ts'
import type { Store } from './ports/store.ts'
import { systemClock } from './process/clock.ts'
import { connectionBounds, openFileLimit } from './process/descriptors.ts'
import { giveBackMemory, isCalm } from './process/give-back-memory.ts'
import type { Logger } from './process/logger.ts'
import { root } from './process/own-files.ts'
import type { Environment, ServerSettings } from './process/settings/settings.ts'
import { Teardown } from './process/teardown.ts'
import { addDemo } from './app/projects/demo.ts'
import { ensureToken } from './app/upkeep/token.ts'
import { work } from './app/upkeep/work.ts'
import { finishPipelines, recover } from './workflow/recover.ts'

/** A stop may take ten seconds; this leaves time for the rest. */
const DETACH_LIMIT_MS = 5_000

export type RunningServer = {
  url: string
  token: string
  store: Store
  logs: Pick<LogReader, 'onGrow'>
  status: () => ServerStatus
  /** The known state of the commits that beads start from. */
  bases: Answers['bases']
  /** Detaches from what runs and closes everything; the next start reattaches to it. */
  stop: () => Promise<void>
}

/** Builds the server from its parts and starts it. The wiring is in `compose/`. */
export async function startServer(
  settings: ServerSettings,
  env: Environment,
  log: Logger,
  overrides: Overrides = {},
): Promise<RunningServer> {
  const stopping = new AbortController()
  const teardown = new Teardown((step, error) => log.error({ error, step }, 'a step of the shutdown failed'))
  const connections = connectionBounds(openFileLimit(), settings.slots)
  const outside = { clock: systemClock, random: Math.random, connections }
  const place = { settings, env, log, ...outside, teardown, stopping: stopping.signal }
  try {
    const parts = await openParts(place, overrides)
    const token = await ensureToken(tokenPath(settings.data), randomBytes)
    const address: Address = { url: null }
    const working = await composeWorking(place, parts, address, overrides, marksBy(token))
    let serving: Serving | null = null
    const nobody = { sockets: 0, channels: 0, bufferedBytes: 0 }
    const answers = composeAnswers(place, parts, working, () => serving?.stream.counts() ?? nobody)
    serving = await serve(place, parts, answers, token)
    const { url } = serving
    address.url = url
    const ended = workByItself(place, parts, working, answers)
    teardown.add('work', async () => {
      stopping.abort()
      await Promise.all([working.executions.detach(DETACH_LIMIT_MS), working.proofs.detach()])
      await ended
    })
    const { store, recording } = parts
    return {
      url,
      token,
      store,
      logs: recording.logs,
      status: answers.status,
      bases: answers.bases,
      stop: () => teardown.run(),
    }
  } catch (error) {
    stopping.abort()
    await teardown.run()
    throw error
  }
}

/**
 * Marks texts with the token, which only this server has: nobody can guess a short text and check it against a mark.
 */
const marksBy = (token: string) => (text: string) =>
  createHmac('sha256', token).update('beadloom secret mark\0').update(text).digest('hex').slice(0, 16)

const isRunning = ({ state }: { state: string }): boolean => state === 'RUNNING'

/** Everything that the server does without being asked, until it stops. Resolves when that has ended. */
async function workByItself(place: Place, parts: Parts, working: Working, answers: Answers): Promise<void> {
  const { settings, env, log, clock, stopping } = place
  const { projects, executions, executionDeps, leftContainers, scheduler, facts, backups, warm } = working
  const { store } = parts
  const demo = async () => {
    if (settings.demo) await addDemo({ store, projects, ...demoRepository({ data: settings.data, root, env, clock }) })
  }
  const steps = {
    store,
    facts,
    projects,
    scheduler,
    demo,
    recover: (engine: string) => recover(executionDeps, engine, executions, leftContainers),
    finish: () => finishPipelines(executionDeps, projects),
    sweep: (engine: string) => leftContainers.sweep(engine),
    clock,
    log,
  }
  void facts.whenAnswers(LOCAL_ENGINE, stopping).then(() => {
    const isUsual = parts.engines.nameOf(null) === LOCAL_ENGINE
    const tight = isUsual ? tightMemory(facts.docker.memoryBytes, settings.slots) : null
    if (facts.docker.ok)
      log.info({ engine: facts.docker.text, where: facts.docker.where }, 'the container engine answers')
    if (facts.docker.ok && tight !== null) log.warn(tight)
  })
  const copying = backups?.follow(stopping)
  await Promise.all([
    work(steps, stopping).catch((error) => log.fatal({ error }, 'the server cannot work')),
    facts.follow(stopping),
    warm.follow(stopping),
    giveBackMemory(() => isCalm() && !store.liveExecutions().some(isRunning), clock, stopping),
    working.images.run(stopping),
    working.webhooks.run(stopping).catch((error) => log.error({ error }, 'no webhook can be told')),
    answers.runPullRequests(stopping).catch((error) => log.fatal({ error }, 'no pull request can be opened')),
  ])
  await Promise.race([copying, clock.sleep(DETACH_LIMIT_MS)]) // a copy that is cut off has no name yet
}
