import { shortName } from './finding-words.ts'
import { patchLines, type ChangedFile } from './patch.ts'
import { withoutStrings } from './words.ts'

/* Characters and encodings by which a file's text is shown in another way than a compiler reads it. */

/** The rest of the line is shown from right to left. Honest texts in quotes use the marks and isolates below. */
const TURNED = /[\u202d\u202e]/
const MARKED = /[\u202a-\u202c\u2066-\u2069]/
const HAS_COMMENT = /\/\/|\/\*|#/
/** Python reads escapes in such a file before it looks for comments. */
const CODING = /^#.*?coding[:=]\s?(utf[-_]?7|(?:raw[-_])?unicode[-_]escape|punycode|idna|rot[-_]?13)\b/i

/** A sentence for each file. */
export const hiddenCharacters = (files: readonly ChangedFile[]): string[] =>
  files.flatMap((file) => {
    if (file.status === 'D') return []
    const added = patchLines(file.patch).filter(({ sign }) => sign === '+')
    const coding = file.path.endsWith('.py')
      ? added.flatMap(({ plain }) => CODING.exec(plain)?.[1] ?? [])[0]
      : undefined
    if (coding !== undefined) return [`${shortName(file.path)} is read in an encoding that hides code (${coding})`]
    return added.some(({ text }) => isTurned(text))
      ? [`${shortName(file.path)} has characters by which its text is shown in another order than it is read`]
      : []
  })

const isTurned = (text: string): boolean =>
  TURNED.test(text) || (MARKED.test(text) && (HAS_COMMENT.test(text) || MARKED.test(withoutStrings(text))))
