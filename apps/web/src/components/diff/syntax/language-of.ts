/** File names and extensions, by the language that colours them. */
const byName: Record<string, string> = {
  dockerfile: 'dockerfile',
  containerfile: 'dockerfile',
  makefile: 'makefile',
  gnumakefile: 'makefile',
  gemfile: 'ruby',
  rakefile: 'ruby',
  jenkinsfile: 'groovy',
  '.bashrc': 'bash',
  '.profile': 'bash',
  '.gitconfig': 'ini',
  '.editorconfig': 'ini',
  '.npmrc': 'ini',
}

const endings: Record<string, string> = {
  bash: 'sh bash zsh ksh bats',
  c: 'c h',
  cpp: 'cc cpp cxx hh hpp hxx ino',
  csharp: 'cs csx',
  css: 'css',
  dart: 'dart',
  diff: 'diff patch',
  elixir: 'ex exs',
  go: 'go',
  graphql: 'graphql gql',
  groovy: 'groovy gradle',
  haskell: 'hs',
  ini: 'ini toml cfg conf properties',
  java: 'java',
  javascript: 'js cjs mjs jsx',
  json: 'json jsonc json5 jsonl webmanifest',
  kotlin: 'kt kts',
  lua: 'lua',
  makefile: 'mk mak',
  markdown: 'md markdown mdx',
  perl: 'pl pm',
  php: 'php',
  powershell: 'ps1 psm1 psd1',
  protobuf: 'proto',
  python: 'py pyi pyw',
  ruby: 'rb rake gemspec',
  rust: 'rs',
  scala: 'scala sc sbt',
  scss: 'scss less',
  sql: 'sql',
  swift: 'swift',
  typescript: 'ts cts mts tsx',
  xml: 'xml html htm xhtml svg vue svelte xsd xsl plist csproj',
  yaml: 'yaml yml',
}

const byEnding = new Map(
  Object.entries(endings).flatMap(([language, names]) =>
    names.split(' ').map((ending): [string, string] => [ending, language]),
  ),
)

/** The language of a file, by its name alone; null: unknown, so it has no colours. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (Object.hasOwn(byName, name)) return byName[name] ?? null
  if (name.startsWith('dockerfile.')) return 'dockerfile'
  const dot = name.lastIndexOf('.')
  return dot < 0 ? null : (byEnding.get(name.slice(dot + 1)) ?? null)
}

export const languages: readonly string[] = [...new Set([...Object.values(byName), ...byEnding.values()])]
