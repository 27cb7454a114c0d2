import { ForgeError, type NewPullRequest, type OpenedPullRequest } from '../ports/forge.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'

/** An open pull request within one repository. One from a fork does not count, whatever its branch's name. */
export type Pull = { number: number; title: string; body: string }

/** The operations of all three forges. Each method throws ForgeError. */
export interface Pulls {
  /** The open pull request from `head` into `base`. `thoroughly`: it is known to exist. */
  find(request: NewPullRequest, thoroughly: boolean): Promise<Pull | null>
  /** Null if it already exists. */
  create(request: NewPullRequest): Promise<Pull | null>
  update(pull: Pull, request: NewPullRequest): Promise<void>
  page(number: number): string
}

/** GitHub takes 256 characters and Gitea 255. */
const LONGEST_TITLE = 250
/** GitHub takes 65,536 characters. */
const LONGEST_BODY = 60_000

export async function openPull(pulls: Pulls, asked: NewPullRequest): Promise<OpenedPullRequest> {
  const request = fitting(asked)
  const found = await pulls.find(request, false)
  if (found) return upToDate(pulls, found, request)
  const made = await pulls.create(request)
  if (made) return { url: pulls.page(made.number), number: made.number, existed: false }
  // Somebody else opened it meanwhile, or an earlier call did and its answer was lost.
  const there = await pulls.find(request, true)
  if (there) return upToDate(pulls, there, request)
  throw new ForgeError(
    'refused',
    `the forge says that a pull request from ${oneLine(request.head).slice(0, 200)} into ${oneLine(request.base).slice(0, 200)} already exists, but does not list it: find it on the repository's page, close or merge it, then try again.`,
  )
}

async function upToDate(pulls: Pulls, found: Pull, request: NewPullRequest): Promise<OpenedPullRequest> {
  const title = stillDraft(found.title, request.title)
  if (title !== found.title || unixLines(request.body) !== unixLines(found.body))
    await pulls.update(found, { ...request, title })
  return { url: pulls.page(found.number), number: found.number, existed: true }
}

/** GitLab and Gitea mark a draft in its title; the person who made it a draft decides when it is ready. */
function stillDraft(before: string, title: string): string {
  const mark = /^\s*(?:draft:|\[draft\]|\(draft\)|\[?wip\]?:?)\s/i.exec(before)?.[0].trim()
  return mark === undefined ? title : `${mark} ${title}`
}

const unixLines = (text: string): string => text.replaceAll('\r\n', '\n').trimEnd()

function fitting({ head, base, title, body }: NewPullRequest): NewPullRequest {
  const line = oneLine(title)
  return {
    head,
    base,
    title: line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1).toWellFormed()}…` : line,
    body: body.length > LONGEST_BODY ? `${body.slice(0, LONGEST_BODY).toWellFormed()}\n\n… (cut)` : body.toWellFormed(),
  }
}
