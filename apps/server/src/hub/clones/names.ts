import { branchNameProblem } from '@beadloom/core/project/branch-name.ts'
import { parseProjectId, type ProjectId } from '@beadloom/core/records/ids.ts'
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
/** The last value of `refs/heads/{base}` that came from the remote: if equal, nobody has added to it here. */
export const mirroredOf = (branch: string): string => `${MIRRORED}${checkBranch(branch)}`
export const MIRRORED = 'refs/hub/mirrored/'
/** Below it, a ref for each tip of the remote's base branch that somebody rewrote. */
export const rewritesOf = (branch: string): string => `refs/hub/rewrites/${checkBranch(branch)}/`
/** The tip of the remote's work branch when it last had everything. */
export const seenOf = (workBranch: string): string => `refs/hub/seen/${checkBranch(workBranch)}`
/** The merged tracker's file of work and base branch, for the server alone. */
export const trackerOf = (workBranch: string): string => checkRef(`refs/hub/tracker/${checkBranch(workBranch)}`)
/** A commit that an execution wants to merge into a branch. Not below `refs/beadloom`, where its container may push. */
export const candidateOf = (execution: string, branch: string): string =>
  checkRef(`${candidatesOf(execution)}${checkBranch(branch)}`)

/** Below it, a folder for each execution. */
export const CANDIDATES = 'refs/hub/candidate/'
export const candidatesOf = (execution: string): string => `${CANDIDATES}${execution}/`

/** Folders of a clone for temporary fetches. */
export const SCRATCH = 'beadloom-fetch-'

/** A submodule's files at the commit that a superproject points to, as a commit without a history. */
export const moduleOf = (commit: string): string => `${MODULES}${checkCommit(commit)}`
export const MODULES = 'refs/hub/modules/'

/** Full hex only: anything shorter, and every expression, could name another commit tomorrow. */
export function checkCommit(commit: string): string {
  if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(commit)) return commit
  throw new HubError('refused', `not a full commit id: ${JSON.stringify(commit.slice(0, 100))}`)
}

/** A path inside a tree: relative, without empty, `.` or `..` parts. Null when no such path can exist. */
export function treePath(path: string): string | null {
  const clean = path.replace(/^\.\//, '').replace(/\/+$/, '')
  if (clean === '' || clean.includes('\0')) return null
  return clean.split('/').some((part) => part === '' || part === '.' || part === '..') ? null : clean
}

/** The folder name of a project's hub; parsed again, because a path is made of it. */
export const hubFolderName = (project: ProjectId): string => `${parseProjectId(project)}.git`
