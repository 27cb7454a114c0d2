import type { Bead } from '../records/bead.ts'

/*
 * `beads.ignore`: beads that are no work, though their status and type say so. A rule is `label:`, `type:` or `id:`
 * with a name; `*` in it matches anything.
 */

/** Gas Town keeps these in a tracker beside the work: its agents, roles and rigs, its convoys, and its molecules. */
export const usuallyIgnored: readonly string[] = [
  'label:gt:agent',
  'label:gt:role',
  'label:gt:rig',
  'label:gt:convoy',
  'label:gt:molecule',
  'type:agent',
  'type:role',
  'type:rig',
  'type:convoy',
  'type:molecule',
  'id:*-mol-*',
]

export const MOST_IGNORED = 50
export const LONGEST_IGNORED = 100
export const IGNORED_SAYS = 'must be label:, type: or id: and a name, such as "label:gt:agent" or "id:*-mol-*"'

export const isIgnoreRule = (rule: string): boolean => /^(?:label|type|id):\S/.test(rule)

type Named = Pick<Bead, 'id' | 'type' | 'labels'>

/** The first rule that leaves a bead out, or null. */
export function ignoring(rules: readonly string[]): (bead: Named) => string | null {
  const all = rules.map((rule) => {
    const at = rule.indexOf(':')
    const parts = rule.slice(at + 1).split('*')
    return { rule, of: rule.slice(0, at), fits: (text: string) => fits(parts, text) }
  })
  return ({ id, type, labels }) =>
    all.find(({ of, fits }) => (of === 'label' ? labels.some(fits) : fits(of === 'type' ? type : id)))?.rule ?? null
}

/** `parts`: the texts between the asterisks. Always takes time linear in the text. */
function fits(parts: readonly string[], text: string): boolean {
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let from = first.length
  for (const part of others) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from <= text.length - last.length
}
