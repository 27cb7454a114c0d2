import { hostedEntry } from '@beadloom/core/egress/ledger.ts'
import type { HostedUses } from '@beadloom/core/gateway/hosted-tools.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** Notes the tools that an endpoint ran for an execution: they reached something outside, allowed or not. */
export function noteHostedUses({ id, project, deps }: LiveExecution, uses: HostedUses): void {
  const notes = Object.entries(uses).map(([tool, count]) => ({ ...hostedEntry(tool), count, sent: 0, received: 0 }))
  void deps.store.noteEgress(project.id, id, notes)
}
