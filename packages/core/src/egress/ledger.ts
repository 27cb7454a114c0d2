import type { NetworkAccess } from './network-access.ts'
import { parseRules, USUAL_PORTS, allows } from './allow-rule.ts'

/**
 * - `reached`: a connection was made.
 * - `refused`: its name or port is not in the list.
 * - `private`: its name belongs to the machine or to a network that is not public.
 * - `failed`: it is allowed and could not be reached, or too many requests came at once.
 */
export const egressOutcomes = ['reached', 'refused', 'private', 'failed'] as const
export type EgressOutcome = (typeof egressOutcomes)[number]

/** A host that was asked for, and the outcome. Times are milliseconds UTC, sizes bytes. */
export type EgressEntry = {
  /** '': beyond the most that are kept by name, or without a readable name. */
  host: string
  port: number
  outcome: EgressOutcome
  count: number
  sent: number
  received: number
  firstAt: number
  lastAt: number
}

/** A tool that the model's own endpoint ran: its name instead of a host's, and no port. */
export const hostedEntry = (tool: string): Pick<EgressEntry, 'host' | 'port' | 'outcome'> => ({
  host: tool,
  port: 0,
  outcome: 'reached',
})
export const isHosted = ({ host, port }: Pick<EgressEntry, 'host' | 'port'>): boolean => host !== '' && port === 0

/** The most entries of one execution or proof; later hosts are counted without their names. */
export const MOST_ENTRIES = 200

export type EgressSum = {
  reached: number
  hosts: number
  /** Hosts that are not kept by name count as one, so the number is a minimum. */
  isMore: boolean
}

export function sumOfEgress(entries: readonly EgressEntry[]): EgressSum {
  const named = entries.filter((entry) => entry.host !== '' && !isHosted(entry))
  const of = (some: readonly EgressEntry[]) => new Set(some.map(({ host }) => host)).size
  return {
    reached: of(named.filter(({ outcome }) => outcome === 'reached')),
    hosts: of(named),
    isMore: entries.some(({ host }) => host === ''),
  }
}

/**
 * "git, model, 2 of 14 hosts"; with "web_search by its endpoint (3×)" behind the model. It says only what is known:
 * attempts are not seen without a list, or with the whole network.
 */
export function reachedWords(entries: readonly EgressEntry[], { network, allow }: NetworkAccess): string {
  const { reached, hosts, isMore } = sumOfEgress(entries)
  const model = [
    'model',
    ...entries.filter(isHosted).map(({ host, count }) => `${host} by its endpoint (${count}×)`),
  ].join(', ')
  if (hosts > 0 || isMore)
    return `git, ${model}, ${reached} of ${hosts}${isMore ? ' or more' : ''} ${hosts === 1 && !isMore ? 'host' : 'hosts'}`
  if (network === 'bridge')
    return `${entries.some(isHosted) ? `${model}, ` : ''}the whole network, which is not recorded`
  return allow.length > 0 ? `git, ${model}, no host outside` : `git, ${model}`
}

/** The list plus every host that was refused because it has no entry, sorted by name. */
export function proposedAllow(allow: readonly string[], entries: readonly EgressEntry[]): string[] {
  const rules = parseRules(allow)
  const wanted = entries
    .filter(({ host, outcome, port }) => host !== '' && outcome === 'refused' && !allows(rules, host, port))
    .map(({ host, port }) => (USUAL_PORTS.includes(port) ? host : `${host}:${port}`))
  const added = [...new Set(wanted)].filter((text) => parseRules([text]).length > 0).toSorted()
  return [...allow, ...added]
}

/** Advice about hosts that were refused because they have no entry; null: there are none. */
export function refusedNote(allow: readonly string[], entries: readonly EgressEntry[]): string | null {
  const added = proposedAllow(allow, entries).slice(allow.length)
  if (added.length === 0) return null
  const named = added.slice(0, MOST_NAMED)
  const more = added.length > named.length ? ` and ${added.length - named.length} more` : ''
  return `Asked for and not allowed: ${named.join(', ')}${more}. Add those that the project needs to "network.allow" in beadloom.json.`
}

const MOST_NAMED = 10
