import { evidenceOf, workCommit, type EvidenceFacts } from './evidence.ts'
import { oneLine } from '../text/one-line.ts'

/*
 * The evidence for a piece of work, as a picture for a README, a chat or a slide: SVG without fonts, scripts, styles or
 * links. Its size follows only from the number of its rows. Everything in it may come from a stranger.
 */

export type ImageFacts = EvidenceFacts & { project: string; bead: string; title: string }

const WIDTH = 720
const ROW = 28
const TOP = 92
const BOTTOM = 44
/** Characters of the Latin alphabet that fit at these sizes; wider text is cut off at the edge. */
const MOST_TITLE = 68
const MOST_ROW = 92
const MOST_ROWS = 8

const SANS = 'system-ui, -apple-system, Segoe UI, Roboto, sans-serif'
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'

/** At most 4 kB for ordinary text, 12 kB for the worst. */
export function evidenceImage(facts: ImageFacts): string {
  const all = evidenceOf(facts)
  const rows = all.slice(0, MOST_ROWS)
  const more = all.length - rows.length
  const height = TOP + (rows.length + (more > 0 ? 1 : 0)) * ROW + BOTTOM
  const shown = all.filter(({ is }) => is === 'shown').length
  const commit = workCommit(facts)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(`${facts.bead}: ${facts.title}`, MOST_TITLE)}</title>`,
    `<desc>${escaped(all.map(({ text }) => text).join('. '), 2000)}</desc>`,
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="10" fill="#ffffff" stroke="#d5d9e0"/>`,
    text(24, 38, 13, '#545b67', facts.bead, { family: MONO, most: 40 }),
    text(WIDTH - 24, 38, 13, '#545b67', `${shown} of ${all.length} shown`, { anchor: 'end', most: 40 }),
    text(24, 64, 18, '#1a1d23', facts.title, { weight: 600, most: MOST_TITLE }),
    `<path d="M24 80H${WIDTH - 24}" stroke="#d5d9e0"/>`,
    ...rows.flatMap(({ is, text: words }, at) => {
      const y = TOP + at * ROW
      return [is === 'shown' ? tick(y) : doubt(y), text(52, y + 19, 14, is === 'shown' ? '#1a1d23' : '#545b67', words)]
    }),
    ...(more > 0 ? [text(52, TOP + rows.length * ROW + 19, 14, '#545b67', `… and ${more} more`)] : []),
    text(24, height - 18, 12, '#545b67', `${facts.project}${commit === null ? '' : ` · ${commit.slice(0, 7)}`}`, {
      family: MONO,
      most: 60,
    }),
    text(WIDTH - 24, height - 18, 12, '#545b67', 'checked by Beadloom', { anchor: 'end' }),
    '</svg>',
  ].join('\n')
}

type Look = { family?: string; weight?: number; anchor?: 'end'; most?: number }

function text(x: number, y: number, size: number, fill: string, words: string, look: Look = {}): string {
  const { family = SANS, weight = 400, anchor, most = MOST_ROW } = look
  const end = anchor === undefined ? '' : ` text-anchor="${anchor}"`
  return `<text x="${x}" y="${y}" font-family="${family}" font-size="${size}" font-weight="${weight}" fill="${fill}"${end}>${escaped(words, most)}</text>`
}

const tick = (y: number): string =>
  `<circle cx="34" cy="${y + 14}" r="8" fill="none" stroke="#19703a" stroke-width="1.5"/><path d="M30.5 ${y + 14}l2.5 2.5 4.5-4.5" fill="none" stroke="#19703a" stroke-width="1.5"/>`

const doubt = (y: number): string =>
  `<circle cx="34" cy="${y + 14}" r="8" fill="none" stroke="#7d8694" stroke-width="1.5" stroke-dasharray="3 2.5"/>`

/** One line of at most `most` characters, without those that reverse the text, end it, or are invalid in XML. */
function escaped(words: string, most: number): string {
  const line = oneLine(words).replace(/[\p{Cf}\uFFFE\uFFFF]/gu, '')
  const letters = [...line]
  const cut = letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : line
  return cut.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}
