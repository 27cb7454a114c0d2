import type { EgressEntry } from '../../egress/ledger.ts'
import type { ProjectSettings } from '../../project/project-config.ts'

/**
 * The hosts outside that were asked for, the most wanted first. Only the proxy's requests are seen: without an
 * allow-list there is no proxy, and with the network `bridge` everything bypasses it. `network` and `allow` are the
 * project's present settings.
 */
export type EgressView = Pick<ProjectSettings, 'network' | 'allow'> & {
  items: EgressEntry[]
  /** "git, model, 2 of 14 hosts" */
  reached: string
  /** The list plus the hosts that were refused because it has no entry for them. */
  proposed: string[]
}
