import type { Found } from '../environment/found.ts'
import type { Proposal } from '../environment/proposal.ts'

/** What the base branch's files say about what the project needs, and what `beadloom.json` could say. */
export type EnvironmentView = {
  project: string
  baseBranch: string
  commit: string
  /** There is a `beadloom.json`, which counts before everything that is found. */
  configured: boolean
  found: Found
  proposal: Proposal
}
