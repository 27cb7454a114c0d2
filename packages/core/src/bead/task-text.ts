import { cutText } from '../text/fenced.ts'

/** How much of a bead's description each reader gets, in characters. An architect has nothing else to go by. */
export const descriptionLimits = { architect: 30_000, reviewer: 8_000, subtask: 8_000 } as const

export type TaskWords = { description: string; acceptance: string; design: string }

/**
 * Everything that a bead asks for beyond its title: its description, and below it the acceptance criteria and the design
 * that a tracker keeps apart. None of them crowds out the others.
 *
 * @param most of the description, in characters; each of the others has half of it
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

/** The longest text with parts of this size, for those who cut it once more. */
export const longestTask = (most: number): number => most * 2 + 300

const headed = (heading: string, text: string): string => (text === '' ? '' : `${heading}:\n\n${text}`)
