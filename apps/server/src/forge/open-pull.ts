import { ForgeError, type NewPullRequest, type OpenedPullRequest } from '../ports/forge.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'

/** An open pull request within one repository: one from a fork is somebody else's, whatever its branch is called. */
export type Pull = { number: number; title: string; body: string }

/** What the three forges have in common. Each method throws ForgeError. */
export interface Pulls {
  /** The open one from `head` into `base`. `thoroughly`: it has to be there. */
  find(request: NewPullRequest, thoroughly: boolean): Promise<Pull | null>
  /** Null: there is one already. */
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
  // Somebody was faster, or an earlier call whose answer was lost.
  const there = await pulls.find(request, true)
  if (there) return upToDate(pulls, there, request)
  throw new ForgeError(
    'refused',
    `the forge says that there is a pull request from ${oneLine(request.head).slice(0, 200)} into ${oneLine(request.base).slice(0, 200)} already, and its list does not have it: look for it on the repository's page, close it or merge it, then ask again.`,
  )
}

async function upToDate(pulls: Pulls, found: Pull, request: NewPullRequest): Promise<OpenedPullRequest> {
  const title = stillDraft(found.title, request.title)
  if (title !== found.title || unixLines(request.body) !== unixLines(found.body))
    await pulls.update(found, { ...request, title })
  return { url: pulls.page(found.number), number: found.number, existed: true }
}

/** GitLab and Gitea mark a draft in its title; who made it one decides when it is one no more. */
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
