import type { Reading } from '../../found.ts'
import type { Folder } from '../../files/repository-files.ts'
import { autotools } from './autotools.ts'
import { cmake } from './cmake.ts'
import { meson } from './meson.ts'

/** The build of C; if several tools build the same, the first that has tests. */
export function cBuild(folder: Folder): Reading | null {
  const readings = [cmake, meson, autotools].map((read) => read(folder)).filter((reading) => reading !== null)
  const tested = readings.find(({ commands = [] }) => commands.some(({ purpose }) => purpose === 'test'))
  return tested ?? readings[0] ?? null
}
