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
    cut(description, most),
    headed('Acceptance criteria of this task', cut(acceptance, half)),
    headed('Design of this task', cut(design, half)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The longest text with parts of this size: for whoever cuts it once more. */
export const longestTask = (most: number): number => most * 2 + 300

const headed = (heading: string, text: string): string => (text === '' ? '' : `${heading}:\n\n${text}`)

function cut(text: string, most: number): string {
  const whole = text.trim()
  if (whole.length <= most) return whole
  return `${whole.slice(0, most).toWellFormed()}\n… (${whole.length - most} more characters)`
}
