import { posix } from 'node:path'
import type { SourceFile } from './check.ts'
import { importsOf } from './source-text.ts'

/**
 * Files that import each other, in a circle of whatever length; imports of types count too, because a reader follows them
 * as well. Each circle is named once, as its files in their order.
 */
export function circlesIn(sources: readonly SourceFile[]): string[][] {
  const paths = new Set(sources.map(({ path }) => path))
  const imports = new Map(sources.map((file) => [file.path, targetsOf(file).filter((target) => paths.has(target))]))
  const circles: string[][] = []
  /** Tarjan's algorithm: `lowest` is the earliest visited file that can be reached again. */
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []

  const visit = (path: string): void => {
    order.set(path, order.size)
    lowest.set(path, order.get(path)!)
    open.push(path)
    for (const target of imports.get(path) ?? []) {
      if (!order.has(target)) visit(target)
      if (open.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!))
    }
    if (lowest.get(path) !== order.get(path)) return
    const knot = open.splice(open.indexOf(path))
    if (knot.length > 1 || imports.get(path)?.includes(path)) circles.push(knot.sort())
  }
  for (const { path } of sources) if (!order.has(path)) visit(path)
  return circles
}

function targetsOf({ path, text }: SourceFile): string[] {
  return importsOf(text).flatMap(({ specifier }) => {
    if (specifier.startsWith('@beadloom/core/'))
      return [`packages/core/src/${specifier.slice('@beadloom/core/'.length)}`]
    return specifier.startsWith('.') ? [posix.join(posix.dirname(path), specifier)] : []
  })
}
