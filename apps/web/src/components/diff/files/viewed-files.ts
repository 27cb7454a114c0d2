import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import { useState } from 'react'

/** Older marks are dropped. */
const MOST_MARKS = 2000
const place = (project: string): string => `beadloom.viewed.${project}`

/** The mark includes the content, so a changed file has none; a file that is deleted twice keeps it. */
export const markOf = ({ path, blob }: Pick<DiffFileView, 'path' | 'blob'>): string => `${blob ?? 'deleted'} ${path}`

/** The marks after setting or removing one, newest last. */
export function withMark(marks: readonly string[], mark: string, viewed: boolean): string[] {
  const others = marks.filter((one) => one !== mark)
  return viewed ? [...others, mark].slice(-MOST_MARKS) : others
}

export function parseMarks(text: string | null): string[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter((one) => typeof one === 'string').slice(-MOST_MARKS) : []
  } catch {
    return []
  }
}

const stored = (project: string): string[] => {
  try {
    return parseMarks(localStorage.getItem(place(project)))
  } catch {
    return []
  }
}

export type ViewedFiles = {
  /** A new object whenever a mark changes. */
  marks: ReadonlySet<string>
  has: (file: DiffFileView) => boolean
  set: (file: DiffFileView, viewed: boolean) => void
}

/** The files that a person has read, kept in the browser. */
export function useViewedFiles(project: string): ViewedFiles {
  const [marks, setMarks] = useState<ReadonlySet<string>>(() => new Set(stored(project)))
  return {
    marks,
    has: (file) => marks.has(markOf(file)),
    set(file, viewed) {
      // Read again: another tab may have set marks since.
      const next = withMark(stored(project), markOf(file), viewed)
      setMarks(new Set(next))
      try {
        localStorage.setItem(place(project), JSON.stringify(next))
      } catch {
        // Without storage marks last as long as the page.
      }
    },
  }
}
