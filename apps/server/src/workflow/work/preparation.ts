import { signatureOf } from '../../execution/signature.ts'
import { throwIfStopped } from '../../execution/stop.ts'
import { EndedEarly } from '../../execution/ends.ts'
import { storedOf, warn, type LiveExecution } from '../../execution/live-execution.ts'
import { HubError, type WorkTip } from '../../ports/hub.ts'
import { prepareBranch, willBeginAt } from '../../publish/bead-branch.ts'
import { wishOf } from '../../sandbox/environment-wish.ts'
import type { ProjectEnvironments } from '../../sandbox/project-environment.ts'
import type { Workspace } from '../../sandbox/workspace.ts'
import { checksAt, type FoundChecks } from './found-checks.ts'

/** The project's settings were read just before the execution started. That fetch is recent enough for its first steps. */
const FRESH_MS = 15_000

/** `tip`: the work branch at the start of this try. */
export type Ready = { environment: string; tip: WorkTip }

/** The needs of one try's steps, made once, when the first step asks. */
export class Preparation {
  readonly #live: LiveExecution
  readonly #environments: ProjectEnvironments
  #ready: Promise<Ready> | null = null

  constructor(live: LiveExecution, environments: ProjectEnvironments) {
    this.#live = live
    this.#environments = environments
  }

  ready(): Promise<Ready> {
    this.#ready ??= this.#live.watchdog.whileOursToWait(() => prepare(this.#live, this.#environments))
    return this.#ready
  }

  /**
   * The environment in which a commit is verified. Work with its own tests may bring what they need: the usual command
   * installs it, as at the bead's next execution. If that fails, the checks name the missing parts.
   */
  async environmentFor({ made, setup }: FoundChecks, commit: string, prepared: string): Promise<string> {
    const { settings, watchdog } = this.#live
    if (!made || setup === settings.setup) return prepared
    const own = { ...this.#live, settings: { ...settings, setup } }
    try {
      return await watchdog.whileOursToWait(() => this.#environments.ensure(wishOf(own), commit))
    } catch (error) {
      if (!(error instanceof EndedEarly && error.end.state === 'FAILED' && error.end.kind === 'setup_failed'))
        throw error
      await warn(this.#live, `What the new tests need could not be installed: ${error.message}`)
      return prepared
    }
  }

  /** The commit that a new sandbox has checked out, before anybody works there; null if unknown. */
  async checkedOut(): Promise<string | null> {
    return this.#environments.checkedOutIn((await this.ready()).environment)
  }

  /** The same, with the agent's sandbox, which starts while the rest is made. */
  async open(workspace: Workspace): Promise<void> {
    const environment = async () => (await this.ready()).environment
    if (workspace.isOpen) await this.ready()
    else
      await this.#live.watchdog.whileOursToWait(() =>
        workspace.open(environment, this.#environments.latest(wishOf(this.#live))),
      )
  }
}

/** Everything before the agent: the newest state of the remote, the branch, the environment. */
async function prepare(live: LiveExecution, environments: ProjectEnvironments): Promise<Ready> {
  const { hub } = live.deps
  const { project, settings, stopper } = live
  await hub.fetch(project, stopper.signal, FRESH_MS).catch(async (error: unknown) => {
    if (!(error instanceof HubError) || !(await hub.current(project))) throw error
    // The remote may be away; if it stays away, publishing will say so.
    await warn(live, `Continuing with the last fetch: ${error.message}`)
  })
  throwIfStopped(stopper)
  const tip = await hub.workTip(project, settings.workBranch, settings.baseBranch, await signatureOf(live))
  if (tip.behind) await warn(live, tip.behind)
  const environmentAt = async (commit: string) => {
    // An earlier bead's tests are not on the base branch before a person merges them.
    const { setup } = await checksAt(live, commit, commit)
    return environments.ensure(wishOf({ ...live, settings: { ...live.settings, setup } }), commit)
  }
  // A git process makes the branch, and the engine is asked for the environment: neither waits for the other.
  const looked = (await willBeginAt(live, tip.commit)) ? environmentAt(tip.commit) : null
  looked?.catch(() => {}) // awaited below, unless there is no branch
  const start = await startingPoint(live, tip.commit)
  const environment = await (looked ?? environmentAt(start))
  throwIfStopped(stopper)
  return { environment, tip }
}

/** The commit where the branch begins; a begun branch is not moved under its agent. */
async function startingPoint(live: LiveExecution, workTip: string): Promise<string> {
  const known = storedOf(live).baseCommit
  if (known !== null) return known
  const { branch, commit: baseCommit, notice } = await prepareBranch(live, workTip)
  await live.deps.store.noteExecution(live.id, { branch, baseCommit, notice })
  return baseCommit
}
