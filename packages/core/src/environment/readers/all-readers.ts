import type { Reading } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'
import { c } from './c/c.ts'
import { cBuild } from './c/c-build.ts'
import { dart } from './dart.ts'
import { deno } from './deno.ts'
import { devcontainer } from './devcontainer/devcontainer.ts'
import { dotnet } from './dotnet.ts'
import { elixir } from './elixir.ts'
import { gitParts } from './git-parts.ts'
import { go } from './go.ts'
import { jvm } from './jvm/jvm.ts'
import { make } from './make.ts'
import { node } from './node.ts'
import { otherLanguages } from './other-languages.ts'
import { php } from './php.ts'
import { python } from './python/python.ts'
import { ruby } from './ruby.ts'
import { rust } from './rust/rust.ts'
import { swift } from './swift.ts'
import { versionFiles } from './version-files.ts'
import { zig } from './zig.ts'

/** Reads one folder; null: it has nothing of this kind. */
export type Reader = (folder: Folder) => Reading | null

/**
 * Languages and tools, in the order in which their commands count. A build tool of C knows all tests; a Makefile beside
 * it may run only one of them.
 */
const languageReaders = [
  node,
  deno,
  python,
  go,
  rust,
  jvm,
  dotnet,
  ruby,
  php,
  elixir,
  swift,
  zig,
  dart,
  otherLanguages,
  c,
  cBuild,
  make,
] satisfies readonly Reader[]

/** A devcontainer comes before everything, and files that name versions before those that only need some. */
export const rootReaders: readonly Reader[] = [devcontainer, versionFiles, ...languageReaders, gitParts]

/** The languages in a sub-folder make it a project of its own. */
export const nestedReaders: readonly Reader[] = [versionFiles, ...languageReaders]
