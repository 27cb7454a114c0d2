/*
 * What a repository's own files say about what it needs. Everything carries the place that says it: a person who sees a
 * wrong answer has to know which file to correct.
 */

/** `line` counts from 1; null: that the file is there says it. */
export type Place = { file: string; line: number | null }

/**
 * How sure it is.
 *
 * - `said`: the project says exactly this, in a file that is made for saying it (`.nvmrc`, a script named `test`);
 * - `usual`: its files make it the usual thing (`go test ./...` where there is a `go.mod`);
 * - `hint`: read out of a file that serves something else (what its CI runs).
 */
export const confidences = ['said', 'usual', 'hint'] as const
export type Confidence = (typeof confidences)[number]

export const tools = [
  'node',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'deno',
  'python',
  'poetry',
  'uv',
  'pdm',
  'pipenv',
  'go',
  'rust',
  'java',
  'maven',
  'gradle',
  'dotnet',
  'ruby',
  'bundler',
  'php',
  'composer',
  'elixir',
  'erlang',
  'c',
  'cmake',
  'meson',
  'autotools',
  'swift',
  'zig',
  'dart',
  'just',
  'sbt',
  'leiningen',
  'clojure',
  'haskell',
  'stack',
  'ocaml',
  'perl',
  'r',
  'julia',
] as const
export type Tool = (typeof tools)[number]

/**
 * `version` as it is written; null: some version of it. `least`: that version or a newer one, though it does not say so.
 * `libraries`: of C, what its build asks for beside the compiler.
 * `any`: of a hint, the place that surely asks for the tool, and for no version.
 */
export type ToolClaim = {
  tool: Tool
  version: string | null
  least: boolean
  from: Place
  confidence: Confidence
  any?: Place
  libraries?: readonly string[]
  /** What other files accept: it counts where this version cannot be had. */
  within?: readonly Pick<ToolClaim, 'version' | 'least'>[]
}

export type Purpose = 'setup' | 'build' | 'test' | 'lint'

/** Whose rules made a command. A `ci` file's are never more than hints. */
export type Family =
  | 'devcontainer'
  | 'node'
  | 'deno'
  | 'python'
  | 'go'
  | 'rust'
  | 'maven'
  | 'gradle'
  | 'dotnet'
  | 'ruby'
  | 'php'
  | 'elixir'
  | 'cmake'
  | 'meson'
  | 'autotools'
  | 'swift'
  | 'zig'
  | 'dart'
  | 'scala'
  | 'clojure'
  | 'haskell'
  | 'ocaml'
  | 'erlang'
  | 'perl'
  | 'r'
  | 'julia'
  | 'make'
  | 'just'
  | 'ci'

/**
 * `folder` is where the command runs, `''` for the root. Of a test: `covers` are folders of other projects whose tests it
 * runs as well, `says` is what it runs in the end, `part` what of its project it tests, where others test the rest, and
 * `into` the folders that it may start make in, where it does nothing else.
 */
export type CommandClaim = {
  purpose: Purpose
  command: string
  folder: string
  family: Family
  from: Place
  confidence: Confidence
  covers?: string[]
  says?: string
  part?: string
  into?: string[]
}

/**
 * Something that has to run beside the tests. `health`: a command that succeeds when it can be used. `command`: in place of
 * its image's.
 */
export type ServiceClaim = {
  name: string
  image: string
  /** Names and values as they are written; one whose value comes from elsewhere is left out. */
  env: Record<string, string>
  command?: string[]
  health: string | null
  from: Place
  confidence: Confidence
}

/** Something that is asked for and will not be done; `why` is a sentence. */
export type Refusal = { what: string; why: string; from: Place }

/** What could not be read, or was left out. `text` is a sentence. */
export type Note = { text: string; from: Place }

/**
 * What a devcontainer adds to its image. `tools`: toolchains of ours are taken for it. `there`: every image of ours has it.
 * `local`: a folder of the repository, with its options as variables and what its manifest sets in the image.
 * `elsewhere`: only a registry has it, which nobody asks.
 */
export type Feature = { id: string; from: Place } & (
  | { is: 'tools'; tools: ToolClaim[] }
  | { is: 'there' }
  | { is: 'local'; folder: string; variables: Record<string, string>; env: Record<string, string> }
  | { is: 'elsewhere' }
)

/** A Dockerfile by its path from the root, and the folder that it may copy from. */
export type Dockerfile = { path: string; context: string; args: Record<string, string>; target: string | null }

/** `.devcontainer/devcontainer.json`, without what would weaken a container. Paths are from the repository's root. */
export type Devcontainer = {
  file: string
  image: string | null
  dockerfile: Dockerfile | null
  /** What names image or Dockerfile. */
  from: Place
  features: Feature[]
  /** Variables of the container. */
  env: Record<string, string>
  composeFiles: string[]
  composeService: string | null
}

/**
 * What the repository only points to, and no container has. `text`: what it is and what to do. `path`: where it would be. `url`:
 * of a submodule, as it is written.
 */
export type Absent = { path: string | null; url?: string | null; text: string; from: Place }

/** What one reader finds in one folder. */
export type Reading = {
  tools?: ToolClaim[]
  commands?: CommandClaim[]
  services?: ServiceClaim[]
  /** Languages and tools as the agent's prompt names them. */
  techStack?: string[]
  devcontainer?: Devcontainer
  refused?: Refusal[]
  notes?: Note[]
  absent?: Absent[]
  /** Folders that are part of this project: its workspaces. */
  members?: string[]
  /** Folders from which this project is installed, too, and that a change of it may be in. */
  beside?: readonly string[]
  /** Folders that are none of it, and that its CI tests by themselves. */
  apart?: string[]
}

/** Two files that cannot both be right; `taken` is the one that counts. */
export type Conflict = { tool: Tool; taken: ToolClaim; other: ToolClaim }

/**
 * A project in a folder of its own. `alone`: nothing says that it is made of what is in other folders, too. `member`: what is
 * above it installs it (a workspace). `locked`: it has a lock file of its own. `apart`: its CI
 * tests it by itself.
 */
export type Nested = {
  folder: string
  techStack: string[]
  tools: ToolClaim[]
  alone: boolean
  member: boolean
  locked: boolean
  apart: boolean
}

/** A file of tests, of the project in `folder`: the first of each ending. */
export type TestFile = { folder: string; file: string }

export type Found = {
  /** One for each tool of the root folder: the one that counts. */
  tools: ToolClaim[]
  conflicts: Conflict[]
  /** In the order in which they count; those of nested projects have their folder. */
  commands: CommandClaim[]
  services: ServiceClaim[]
  devcontainer: Devcontainer | null
  nested: Nested[]
  testFiles: TestFile[]
  /** Of the root folder; empty where nothing is known. */
  techStack: string[]
  refused: Refusal[]
  notes: Note[]
  absent: Absent[]
}
