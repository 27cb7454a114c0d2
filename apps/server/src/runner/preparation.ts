import { HubError, type WorkTip } from '../ports/hub.ts'
import { prepareBranch } from './bead-branch.ts'
import { openContainer } from './containers.ts'
import { EarlyContainer, WORK } from './early-container.ts'
import type { ProjectImages } from './project-image.ts'
import type { RunContext } from './run-context.ts'
import { throwIfStopped } from './stop.ts'

/** `tip`: the work branch as it was when this run began. */
export type Ready = { image: string; tip: WorkTip }

/** What the steps of one run need, made once, when the first of them asks. */
export class Preparation {
  readonly #run: RunContext
  readonly #images: ProjectImages
  #ready: Promise<Ready> | null = null

  constructor(run: RunContext, images: ProjectImages) {
    this.#run = run
    this.#images = images
  }

  ready(): Promise<Ready> {
    this.#ready ??= this.#run.watchdog.whileOursToWait(() => prepare(this.#run, this.#images))
    return this.#ready
  }

  /** The same, with the agent's container; it starts while the rest is made. */
  container(): Promise<Ready> {
    if (this.#run.container) return this.ready()
    return this.#run.watchdog.whileOursToWait(() => this.#open())
  }

  async #open(): Promise<Ready> {
    const run = this.#run
    const early = new EarlyContainer(run, this.#images.latest(run))
    const ready = await this.ready().catch(async (error: unknown) => {
      await early.discard()
      throw error
    })
    const { image } = ready
    run.container =
      (await early.take(image)) ?? (await openContainer(run, { ...WORK, image, network: run.settings.network }))
    return ready
  }
}

/** Everything before the agent: the newest state of the remote, the branch, the image. */
async function prepare(run: RunContext, images: ProjectImages): Promise<Ready> {
  const { hub, store } = run.deps
  const { project, settings } = run
  const warn = (text: string) => store.addEvent(run.execution.id, null, 'warning', { text })
  await hub.fetch(project, run.stopper.signal).catch(async (error: unknown) => {
    if (!(error instanceof HubError) || !(await hub.current(project))) throw error
    warn(`Going on with what is here: ${error.message}`) // the remote may be away; publishing will say so if it stays away
  })
  throwIfStopped(run.stopper)
  const tip = await hub.workTip(project, settings.workBranch, settings.baseBranch)
  if (tip.behind) warn(tip.behind)
  const image = await images.ensure(run, await startingPoint(run, tip.commit))
  throwIfStopped(run.stopper)
  return { image, tip }
}

/** The commit that the branch began at; what has begun is not moved under an agent that works on it. */
async function startingPoint(run: RunContext, workTip: string): Promise<string> {
  const { execution, deps } = run
  if (execution.baseCommit !== null) return execution.baseCommit
  const { branch, commit: baseCommit, notice } = await prepareBranch(run, workTip)
  run.notice = notice
  run.execution = { ...execution, branch, baseCommit }
  deps.store.noteExecution(execution.id, { branch, baseCommit })
  return baseCommit
}
