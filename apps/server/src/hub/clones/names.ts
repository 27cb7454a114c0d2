import { branchNameProblem } from '@beadloom/core/project/branch-name.ts'
import { parseProjectId, type ProjectId } from '@beadloom/core/ids.ts'
import { HubError } from '../../ports/hub.ts'

/** Git's own rules for a ref (`git check-ref-format`), and no leading `-`, so that a name can never be an option. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const FORBIDDEN = /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^-/
const FORBIDDEN_PART = /^\.|\.lock$/
/** File systems end a name at 255 bytes, and a lock file needs five more. */
const LONGEST_PART = 240
const LONGEST_REF = 1000

function isRef(ref: string): boolean {
  return (
    ref.length > 0 &&
    Buffer.byteLength(ref) <= LONGEST_REF &&
    !FORBIDDEN.test(ref) &&
    ref.split('/').every((part) => !FORBIDDEN_PART.test(part) && Buffer.byteLength(part) <= LONGEST_PART)
  )
}

/** A branch name as people write it, without `refs/heads/`. */
export function checkBranch(name: string): string {
  if (branchNameProblem(name) === null) return name
  throw new HubError('refused', `not a branch name: ${JSON.stringify(name.slice(0, 200))}`)
}

/** A full ref name; a short one is a branch. */
export function checkRef(ref: string): string {
  if (!ref.startsWith('refs/')) return `refs/heads/${checkBranch(ref)}`
  if (isRef(ref) && ref.split('/').length >= 3) return ref
  throw new HubError('refused', `not a ref name: ${JSON.stringify(ref.slice(0, 200))}`)
}

export const headOf = (branch: string): string => `refs/heads/${checkBranch(branch)}`
export const remoteHeadOf = (branch: string): string => `refs/remotes/origin/${checkBranch(branch)}`
/** What `refs/heads/{base}` was last set to from the remote: equal means that nobody has added to it here. */
export const mirroredOf = (branch: string): string => `${MIRRORED}${checkBranch(branch)}`
export const MIRRORED = 'refs/hub/mirrored/'
/** Below it, a ref for each commit where the remote's base branch stood before somebody rewrote it. */
export const rewritesOf = (branch: string): string => `refs/hub/rewrites/${checkBranch(branch)}/`
/** Where the remote's work branch stood when all that it had been seen with was there. */
export const seenOf = (workBranch: string): string => `refs/hub/seen/${checkBranch(workBranch)}`
/** Where the tracker's file of work and base branch are brought together, for nobody but the server. */
export const trackerOf = (workBranch: string): string => checkRef(`refs/hub/tracker/${checkBranch(workBranch)}`)
/** What an execution wants to bring into a branch. Not below `refs/beadloom`, where its own container may push. */
export const candidateOf = (execution: string, branch: string): string =>
  checkRef(`${candidatesOf(execution)}${checkBranch(branch)}`)

/** Below it, a folder for each execution. */
export const CANDIDATES = 'refs/hub/candidate/'
export const candidatesOf = (execution: string): string => `${CANDIDATES}${execution}/`

/** Folders of a clone in which something is fetched that is thrown away. */
export const SCRATCH = 'beadloom-fetch-'

/** The files of a submodule at the commit that somebody points to, as a commit of their own. */
export const moduleOf = (commit: string): string => `${MODULES}${checkCommit(commit)}`
export const MODULES = 'refs/hub/modules/'

/** Full hex only: everything shorter, and every expression, could name something else tomorrow. */
export function checkCommit(commit: string): string {
  if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit)) return commit
  throw new HubError('refused', `not a full commit id: ${JSON.stringify(commit.slice(0, 100))}`)
}

/** A path inside a tree: relative, without empty, `.` or `..` parts. Null when it can name nothing. */
export function treePath(path: string): string | null {
  const clean = path.replace(/^\.\//, '').replace(/\/+$/, '')
  if (clean === '' || clean.includes('\0')) return null
  return clean.split('/').some((part) => part === '' || part === '.' || part === '..') ? null : clean
}

/** The folder name of a project's hub; parsed again, because a path is made of it. */
export const hubFolderName = (project: ProjectId): string => `${parseProjectId(project)}.git`
