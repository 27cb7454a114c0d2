import type { Found } from '../../environment/found.ts'
import type { BaseCheck, BrokenBy, ProofEnd } from '../../environment/base/proof.ts'
import type { DevcontainerPlan } from '../../environment/devcontainer/devcontainer-plan.ts'
import type { ToolchainPlan } from '../../environment/toolchains/offer.ts'
import type { Proposal } from '../../project/proposal.ts'

/** The project's needs according to the base branch's files, and a proposal for `beadloom.json`. */
export type EnvironmentView = {
  project: string
  baseBranch: string
  commit: string
  /** There is a `beadloom.json`, which overrules everything that is found. */
  configured: boolean
  found: Found
  /** The toolchains that the project's image gets, and from where; none if it names an image of its own. */
  toolchains: ToolchainPlan
  /** A devcontainer's wishes for that image; null: there is none, or `beadloom.json` overrules it. */
  devcontainer: DevcontainerPlan | null
  proposal: Proposal
  /** Null: nothing wanted to start since the base, the settings or the lock files last changed. */
  proof: ProofView | null
}

/**
 * The proof of the commit that beads start from. `state`: `proving` while setup and checks run there; `green`; `red`:
 * some checks fail and are not counted against an agent; `broken`: nothing starts; `stopped` by a person: nothing
 * starts either.
 */
export type ProofView = {
  state: 'proving' | ProofEnd['is']
  commit: string
  /** The problem and what to do, or the current step. */
  text: string
  /** The reason why the project starts nothing; null if it does. */
  by: BrokenBy | null
  /**
   * The time of the next automatic try, milliseconds UTC; null: after a change of the base, the settings or the lock
   * files.
   */
  againAt: number | null
  checks: BaseCheck[]
  /** A bead could make it green. */
  mendable: boolean
  /** The bead that was created to do so. */
  bead: string | null
  startedAt: number
  endedAt: number | null
}

/** The newest push of a project's image to a registry since the server's start. */
export type PushView = {
  state: 'running' | 'done' | 'failed'
  project: string
  registry: string
  /** The commit whose `setup` is in it; null: not looked up yet. */
  commit: string | null
  /** The current step, the result, or the problem and what to do. */
  text: string
  /** The image in the registry; null: not there (yet). `digest` null: the engine did not say. */
  image: { reference: string; digest: string | null } | null
  startedAt: number
  endedAt: number | null
}
