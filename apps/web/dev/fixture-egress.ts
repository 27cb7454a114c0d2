import type { EgressView } from '@beadloom/core/api/executions/egress-api.ts'
import { reachedWords, type EgressEntry, type EgressOutcome } from '@beadloom/core/egress/ledger.ts'
import { now } from './fixture-data.ts'

const entry = (host: string, outcome: EgressOutcome, count: number, received = 0, port = 443): EgressEntry => ({
  host,
  port,
  outcome,
  count,
  sent: Math.round(received / 40),
  received,
  firstAt: now - 900_000,
  lastAt: now - 60_000,
})

/** An execution's requests to hosts outside: a little of everything. */
export const hosts: EgressEntry[] = [
  entry('packages.example.com', 'reached', 212, 48_400_000),
  entry('cdn.packages.example.com', 'reached', 41, 9_100_000),
  entry('telemetry.a-tool-with-a-very-long-name.example.net', 'refused', 12_004),
  entry('files.example.org', 'failed', 3, 0, 8443),
  entry('registry.intern.example.com', 'private', 1),
  entry('web_search', 'reached', 3, 0, 0),
  entry('', 'refused', 1_731, 0, 0),
]

const network = { network: 'none' as const, allow: ['*.example.com', 'files.example.org:8443'] }

export const egress: EgressView = {
  ...network,
  items: hosts,
  reached: reachedWords(hosts, network),
  proposed: network.allow,
}
