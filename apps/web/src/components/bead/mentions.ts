export type Part = { text: string } | { bead: string }

/** Cuts a sentence at the ids that it names ("waits for bl-1 and bl-2"), so that they can be links. */
export function mentionsIn(text: string, beads: readonly string[]): Part[] {
  const parts: Part[] = []
  const ids = beads.filter((bead) => bead !== '').toSorted((a, b) => b.length - a.length) // bl-1.2 before bl-1
  let plain = ''
  for (let at = 0; at < text.length;) {
    const bead = ids.find((id) => text.startsWith(id, at) && !/[\w.-]/.test(text[at - 1] ?? ' ') && ends(text, at, id))
    if (bead === undefined) {
      plain += text[at++] ?? ''
      continue
    }
    if (plain !== '') parts.push({ text: plain })
    plain = ''
    parts.push({ bead })
    at += bead.length
  }
  if (plain !== '') parts.push({ text: plain })
  return parts
}

/** The id is not the beginning of a longer one. A dot ends a sentence unless an id goes on behind it. */
const ends = (text: string, at: number, id: string): boolean => !/^(?:[\w-]|\.\w)/.test(text.slice(at + id.length))
