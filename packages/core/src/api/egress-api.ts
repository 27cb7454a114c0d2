import type { EgressEntry } from '../egress/ledger.ts'
import type { ProjectSettings } from '../project/project-config.ts'

/**
 * What was asked for outside, the most wanted first. Only what goes through the proxy is seen: without an allow-list there
 * is none, and with the network `bridge` everything goes past it. `network` and `allow` are the project's as they are now.
 */
export type EgressView = Pick<ProjectSettings, 'network' | 'allow'> & {
  items: EgressEntry[]
  /** "git, model, 2 of 14 hosts" */
  reached: string
  /** The list with what was refused for want of an entry; the list itself where nothing was. */
  proposed: string[]
}
