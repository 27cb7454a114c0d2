import type { Message } from '../records/message.ts'
import { cutText } from '../text/fenced.ts'
import { saidText } from './said-text.ts'

/** The part of a bead's description that each reader gets, in characters. An architect has no other source. */
export const descriptionBounds = { architect: 30_000, reviewer: 8_000, subtask: 8_000 } as const

/** `said`: what people have told the agents of the bead. */
export type TaskWords = { description: string; acceptance: string; design: string; said?: readonly Message[] }

/**
 * Everything that a bead asks for beyond its title: its description, then the acceptance criteria and the design, which
 * a tracker keeps separately. None crowds out the others.
 *
 * @param most characters of the description; each of the others gets half as many
 */
export function taskText({ description, acceptance, design, said = [] }: TaskWords, most: number): string {
  const half = Math.floor(most / 2)
  return [
    cutText(description.trim(), most),
    headed('Acceptance criteria of this task', cutText(acceptance.trim(), half)),
    headed('Design of this task', cutText(design.trim(), half)),
    headed('Said to its agents while they worked', saidText(said, half)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The longest text with parts of this size, for callers that cut it once more. */
export const longestTask = (most: number): number => Math.ceil(most * 2.5) + 400

const headed = (heading: string, text: string): string => (text === '' ? '' : `${heading}:\n\n${text}`)
