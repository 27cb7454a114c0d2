import { counted } from '../text/count-text.ts'
import { oneLine } from '../text/one-line.ts'
import { shellWord } from '../text/shell-word.ts'

/** Long enough to recognise a bead, short enough for a file name: git keeps a branch's log and lock under this name. */
export const MAX_BRANCH_LENGTH = 100

/** The prefix of beads' branches; no other branch that Beadloom writes has it. */
export const BEAD_BRANCHES = 'beads-'

/** Ids are kept whole up to this length, which leaves room for some of the title. */
const MAX_ID_LENGTH = 80

/**
 * The branch of a bead's executions, `beads-{id}-{sanitized-title}`. Always a ref name that git accepts, at
 * most `MAX_BRANCH_LENGTH` characters, the same for the same bead, and without characters that a shell would read.
 *
 * @param beadId a checked bead id; characters that git refuses become hyphens anyway
 */
export function branchName(beadId: string, title: string): string {
  const id = slug(beadId, /[^A-Za-z0-9._-]+/g).slice(0, MAX_ID_LENGTH)
  const name = `${BEAD_BRANCHES}${id}-${slug(title.slice(0, 2000).toLowerCase(), /[^a-z0-9]+/g)}`.slice(
    0,
    MAX_BRANCH_LENGTH,
  )
  // A cut may leave an end that git refuses (`.`, `.lock`), or an ugly hyphen.
  return trimmed(name)
}

/** The commit subject the prompt asks for and the verification looks for, on one line. */
export function commitMessage(beadId: string, title: string): string {
  return oneLine(`Bead ${beadId}: ${oneLine(title)}`)
}

/**
 * The command that fetches a branch of the hub into a clone on the same machine, under the same name.
 *
 * @param hub the folder of the server's bare clone
 */
export const fetchCommand = (hub: string, branch: string): string => `git fetch ${shellWord(hub)} ${branch}:${branch}`

/** The command that fetches any other ref of the hub, as FETCH_HEAD. */
export const fetchRef = (hub: string, ref: string): string => `git fetch ${shellWord(hub)} ${ref}`

/** The subject of a merge of one branch into another. */
export const mergeOf = (branch: string, into: string): string => `Merge ${branch} into ${into}`

/** Whether a commit's message, or one of its lines, names the bead; `bl-1` is not named by `bl-12` or `bl-1.2`. */
export const namesBead = (message: string, beadId: string): boolean =>
  new RegExp(`(?<![\\w.-])${beadId.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-]|\\.\\w)`).test(message)

/** The id in a message of `commitMessage`; null for any other text. */
export const beadOfMessage = (message: string): string | null => /^Bead (\S+): /.exec(message)?.[1] ?? null

/** Accents are dropped, so that "Größe" becomes "grosse"; any other run of foreign characters becomes one hyphen. */
function slug(text: string, foreign: RegExp): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
  return trimmed(plain.replace(foreign, '-').replace(/\.{2,}/g, '.'))
}

function trimmed(name: string): string {
  const text = name.replace(/^[.-]+/, '').replace(/[.-]+$/, '')
  return text.endsWith('.lock') ? trimmed(text.slice(0, -'.lock'.length)) : text
}

/** The notice after somebody deleted the work branch on the remote, or pushed it by force. */
export const lostOnRemoteText = (workBranch: string, commits: number): string =>
  `${workBranch} was deleted or rewritten on the remote, where ${counted(commits, 'commit')} of it ${commits === 1 ? 'is' : 'are'} missing now. The hub still has all of it, and the next work that is published brings it back. To remove something for good, revert it on ${workBranch} after that.`
