import { hostedEntry } from '@beadloom/core/egress/ledger.ts'
import type { HostedUses } from '@beadloom/core/gateway/hosted-tools.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** What an endpoint ran for an execution reached something outside, whether or not anybody opened it. */
export function noteHostedUses({ id, project, deps }: LiveExecution, uses: HostedUses): void {
  const notes = Object.entries(uses).map(([tool, count]) => ({ ...hostedEntry(tool), count, sent: 0, received: 0 }))
  void deps.store.noteEgress(project.id, id, notes)
}
