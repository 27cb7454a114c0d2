import type { Found } from '../environment/found.ts'
import type { BaseCheck, BrokenBy, ProofEnd } from '../environment/proof.ts'
import type { DevcontainerPlan } from '../environment/devcontainer/devcontainer-plan.ts'
import type { ToolchainPlan } from '../environment/toolchains/offer.ts'
import type { Proposal } from '../environment/proposal.ts'

/** What the base branch's files say about what the project needs, and what `beadloom.json` could say. */
export type EnvironmentView = {
  project: string
  baseBranch: string
  commit: string
  /** There is a `beadloom.json`, which counts before everything that is found. */
  configured: boolean
  found: Found
  /** What the project's image gets, and from where; nothing where it names an image of its own. */
  toolchains: ToolchainPlan
  /** What a devcontainer says about that image; null: there is none, or `beadloom.json` overrules it. */
  devcontainer: DevcontainerPlan | null
  proposal: Proposal
  /** Null: nothing wanted to start since the base, the settings or the lock files have changed. */
  proof: ProofView | null
}

/**
 * Whether the commit that beads start from is fit to work on. `state`: `proving` while setup and checks run there; `green`;
 * `red`, where some checks fail and are not counted against an agent; `broken`, where nothing starts; `stopped` by a person,
 * where nothing starts either.
 */
export type ProofView = {
  state: 'proving' | ProofEnd['is']
  commit: string
  /** What is wrong and what to do, or what it does now. */
  text: string
  /** What keeps the project from starting anything; null where nothing does. */
  by: BrokenBy | null
  /** When it is tried again by itself, milliseconds UTC; null: when the base, the settings or the lock files have changed. */
  againAt: number | null
  checks: BaseCheck[]
  /** A bead could make it green. */
  mendable: boolean
  /** The bead that is there to do so. */
  bead: string | null
  startedAt: number
  endedAt: number | null
}

/** The newest push of a project's image to a registry since the server has started. */
export type PushView = {
  state: 'running' | 'done' | 'failed'
  project: string
  registry: string
  /** The commit whose `setup` is in it; null: not looked up yet. */
  commit: string | null
  /** What it does now, what came of it, or what is wrong and what to do. */
  text: string
  /** What the registry has it as; null: it does not have it (yet). `digest` null: the engine did not say. */
  image: { reference: string; digest: string | null } | null
  startedAt: number
  endedAt: number | null
}
