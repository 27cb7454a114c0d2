import type { Reading } from '../found.ts'
import type { Folder } from '../repository-files.ts'
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

/** What one folder says; null: nothing of this kind is in it. */
export type Reader = (folder: Folder) => Reading | null

/**
 * Languages and tools, in the order in which their commands count. What builds C knows all of its tests; a Makefile beside
 * it may have but one of them.
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

/** What names versions comes before what only needs some, and a devcontainer before everything. */
export const rootReaders: readonly Reader[] = [devcontainer, versionFiles, ...languageReaders, gitParts]

/** A sub-folder is a project of its own by what its languages say. */
export const nestedReaders: readonly Reader[] = [versionFiles, ...languageReaders]
