import { cutText } from '../text/fenced.ts'

/** The part of a bead's description that each reader gets, in characters. An architect has no other source. */
export const descriptionBounds = { architect: 30_000, reviewer: 8_000, subtask: 8_000 } as const

export type TaskWords = { description: string; acceptance: string; design: string }

/**
 * Everything that a bead asks for beyond its title: its description, then the acceptance criteria and the design, which
 * a tracker keeps separately. None crowds out the others.
 *
 * @param most characters of the description; each of the others gets half as many
 */
export function taskText({ description, acceptance, design }: TaskWords, most: number): string {
  const half = Math.floor(most / 2)
  return [
    cutText(description.trim(), most),
    headed('Acceptance criteria of this task', cutText(acceptance.trim(), half)),
    headed('Design of this task', cutText(design.trim(), half)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The longest text with parts of this size, for callers that cut it once more. */
export const longestTask = (most: number): number => most * 2 + 300

const headed = (heading: string, text: string): string => (text === '' ? '' : `${heading}:\n\n${text}`)
