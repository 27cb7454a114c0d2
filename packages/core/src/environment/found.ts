/*
 * The needs of a repository, as its own files state them. Each has the place that states it: a person who sees a wrong
 * answer has to know which file to correct.
 */

/** `line` counts from 1; null: the mere existence of the file says it. */
export type Place = { file: string; line: number | null }

/**
 * The confidence in it.
 *
 * - `said`: the project says exactly this, in a file that is made for saying it (`.nvmrc`, a script named `test`);
 * - `usual`: it is usual for such files (`go test ./...` with a `go.mod`);
 * - `hint`: it is inferred from a file with another purpose (the commands of a CI).
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
 * `version` as it is written; null: any. `least`: that version or a newer one, even if the text does not say so.
 * `libraries`: for C, the needs of its build beside the compiler.
 * `any`: for a hint, the place that surely asks for the tool, and for no version.
 */
export type ToolClaim = {
  tool: Tool
  version: string | null
  least: boolean
  from: Place
  confidence: Confidence
  any?: Place
  libraries?: readonly string[]
  /** Versions that other files accept. They count if this version cannot be had. */
  within?: readonly Pick<ToolClaim, 'version' | 'least'>[]
}

export type Purpose = 'setup' | 'build' | 'test' | 'lint'

/** The tool that a command is for. A command of the family `ci` is never more than a hint. */
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
 * `folder` is where the command runs, `''` for the root. For tests: `covers` are folders of other projects whose tests
 * in its language it also runs, `names` those whose tests it runs in any, `limits` the only ones
 * that they look into, as patterns, `says` is what it runs in the end, `part` is the part of its project that it tests, if others test the
 * rest, and `into` are the folders in which it may start make, if it does nothing else.
 */
export type CommandClaim = {
  purpose: Purpose
  command: string
  folder: string
  family: Family
  from: Place
  confidence: Confidence
  covers?: string[]
  names?: string[]
  limits?: string[]
  says?: string
  part?: string
  into?: string[]
}

/**
 * A service that has to run beside the tests. `health`: a command that succeeds when it can be used. `command` replaces
 * the command of its image.
 */
export type ServiceClaim = {
  name: string
  image: string
  /** Names and values as they are written; variables whose value comes from elsewhere are left out. */
  env: Record<string, string>
  command?: string[]
  health: string | null
  from: Place
  confidence: Confidence
}

/** A request that is not fulfilled; `why` is a sentence. */
export type Refusal = { what: string; why: string; from: Place }

/** Something that could not be read, or was left out. `text` is a sentence. */
export type Note = { text: string; from: Place }

/**
 * An addition of a devcontainer to its image. `tools`: our toolchains replace it. `there`: every image of ours has it.
 * `local`: a folder of the repository, with its options as variables and what its manifest sets in the image.
 * `elsewhere`: only a registry has it, and we do not ask it.
 */
export type Feature = { id: string; from: Place } & (
  | { is: 'tools'; tools: ToolClaim[] }
  | { is: 'there' }
  | { is: 'local'; folder: string; variables: Record<string, string>; env: Record<string, string> }
  | { is: 'elsewhere' }
)

/** A Dockerfile by its path from the root, and the folder that it may copy from. */
export type Dockerfile = { path: string; context: string; args: Record<string, string>; target: string | null }

/** `.devcontainer/devcontainer.json`, without parts that weaken a container. Paths are from the repository's root. */
export type Devcontainer = {
  file: string
  image: string | null
  dockerfile: Dockerfile | null
  /** The place that names the image or Dockerfile. */
  from: Place
  features: Feature[]
  /** Variables of the container. */
  env: Record<string, string>
  composeFiles: string[]
  composeService: string | null
}

/**
 * A part that the repository only points to, and that no container has. `text`: its description, and what to do.
 * `path`: where it would be. `url`: a submodule's, as it is written.
 */
export type Absent = { path: string | null; url?: string | null; text: string; from: Place }

/** The findings of one reader in one folder. */
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
  /** Folders that are part of this project, its workspaces, for the tools of one family. */
  members?: { family: Family; folders: string[] }
  /** More folders from which this project is installed; a change of it may be in one of them. */
  beside?: readonly string[]
  /** Folders outside of this project that its CI tests by themselves. */
  apart?: string[]
}

/** Two claims that contradict each other; `taken` is the one that counts. */
export type Conflict = { tool: Tool; taken: ToolClaim; other: ToolClaim }

/**
 * A project in a folder of its own. `alone`: nothing says that it also uses code of other folders. `members`: the
 * families whose workspaces above install it. `locked`: it has a lock file of its own. `apart`: its CI tests it by itself.
 */
export type Nested = {
  folder: string
  techStack: string[]
  tools: ToolClaim[]
  alone: boolean
  members: readonly Family[]
  locked: boolean
  apart: boolean
}

/** A project that was left out: too deep, or one too many. `families`: those in which it has tests. */
export type Unread = { folder: string; families: Family[]; locked: boolean }

/** A test file of the project in `folder`: the first with its ending. */
export type TestFile = { folder: string; file: string }

export type Found = {
  /** The claim that counts for each tool of the root folder. */
  tools: ToolClaim[]
  conflicts: Conflict[]
  /** In the order in which they count; those of nested projects have their folder. */
  commands: CommandClaim[]
  services: ServiceClaim[]
  devcontainer: Devcontainer | null
  nested: Nested[]
  testFiles: TestFile[]
  /** Projects with test files of their own that were not read. */
  unread: Unread[]
  /** The root folder's; empty if nothing is known. */
  techStack: string[]
  refused: Refusal[]
  notes: Note[]
  absent: Absent[]
}
