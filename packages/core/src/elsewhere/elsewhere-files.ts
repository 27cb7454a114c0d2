/** A program or service that runs a file, or obeys it. */
export type RunsBy = 'ci' | 'rules' | 'hook' | 'editor' | 'install' | 'image' | 'source'

/*
 * Services read their file at the root of a repository, hence `^`; programs on a person's machine read theirs in any
 * folder, hence `(?:^|\/)`.
 */
const names: Readonly<Record<RunsBy, readonly RegExp[]>> = {
  ci: [
    /^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|(?:^|\/)action\.ya?ml$/i,
    /(?:^|\/)\.gitlab-ci[^/]*\.ya?ml$|^\.gitlab\/(?:ci|agents|duo|workflows|auto-)/i,
    /^\.(?:circleci|buildkite|semaphore|teamcity|tekton|woodpecker|drone|azure-pipelines|azuredevops|ado|pipelines|harness|builds|cds|jenkins|kokoro|agola|prow|zuul\.d|evergreen|codecatalyst|workflow|vela)\//i,
    /^\.(?:platform|upsun|ebextensions|do)\/|^zuul\.d\//i,
    /(?:^|\/)Jenkinsfile[^/]*$|\.jenkinsfile$|^\.jenkins\.ya?ml$|\.gocd\.(?:ya?ml|json)$/i,
    /(?:^|\/)azure-pipelines[^/]*(?:\.ya?ml$|\/)/i,
    /^\.(?:travis|drone|woodpecker|cirrus|appveyor|build|vela|zuul|packit|taskcluster|evergreen|shippable|scrutinizer|styleci|codeclimate|readthedocs|prow|lagoon|coding-ci|cnb|ci|magnum|platform\.app)\.ya?ml$/i,
    /^\.(?:drone|cirrus|woodpecker)\.(?:star|jsonnet)$|^\.space\.kts$/i,
    /^(?:appveyor|bitbucket-pipelines|codemagic|wercker|bitrise|heroku|render|app|apprunner|amplify|circle|codeship-(?:services|steps)|screwdriver|shippable|zuul|packit|readthedocs|evergreen)\.ya?ml$/i,
    /(?:^|\/)(?:buildspec|cloudbuild|appspec)[^/]*\.ya?ml$|^\.?onedev-buildspec\.ya?ml$/i,
    /^(?:netlify|railway|nixpacks|fly(?:\.[\w-]+)?)\.toml$|^(?:vercel|railway)\.json$|^wrangler\.(?:toml|jsonc?)$|^Procfile[^/]*$/i,
  ],
  rules: [
    /^(?:\.github\/|\.gitlab\/|docs\/|\.gitea\/|\.forgejo\/|\.bitbucket\/)?CODEOWNERS$/i,
    /^\.github\/(?:dependabot|settings|mergify|labeler|policy|(?:auto|review|pull|merge)[\w-]*)\.ya?ml$|^\.github\/rulesets\//i,
    /^\.(?:mergify|pullapprove|policy|bulldozer|reviewpad|sourcery|coderabbit)\.ya?ml$|^\.(?:mergify|aviator)\//i,
    /^\.kodiak\.toml$|^bors\.toml$|^(?:\.github\/|\.gitlab\/)?\.?renovate(?:rc)?(?:\.json5?)?$/i,
  ],
  hook: [
    /(?:^|\/)\.(?:husky|githooks|git-hooks|hooks|cargo-husky)\/|^(?:githooks|git-hooks|hooks)\/|^\.beads\/(?:hooks\/|config\.ya?ml$)/i,
    /(?:^|\/)\.?lefthook[^/]*\.(?:ya?ml|toml|jsonc?)$|(?:^|\/)\.pre-commit-(?:config|hooks)\.ya?ml$|(?:^|\/)prek\.toml$/i,
    /(?:^|\/)\.overcommit\.ya?ml$|^\.(?:overcommit|git_hooks)\/|(?:^|\/)\.?simple-git-hooks\.[cm]?js(?:on)?$|(?:^|\/)\.lintstagedrc|(?:^|\/)lint-staged\.config\./i,
    /(?:^|\/)\.huskyrc[^/]*$|(?:^|\/)husky\.config\.[cm]?js$|(?:^|\/)(?:captainhook\.json|grumphp\.ya?ml)(?:\.dist)?$|(?:^|\/)\.rusty-hook\.toml$|(?:^|\/)hk\.pkl$|(?:^|\/)\.gitconfig$/i,
  ],
  editor: [
    /(?:^|\/)\.devcontainer(?:\/|\.json$)|(?:^|\/)\.?devfile\.ya?ml$|^\.gitpod\.[^/]+$|^\.(?:gitpod|ona|codesandbox)\/|^\.replit$|^\.stackblitzrc$/i,
    /(?:^|\/)\.(?:vscode|theia|zed|fleet|vs)\/[^/]+\.jsonc?$|\.code-workspace$|\.sublime-project$/i,
    /(?:^|\/)\.idea\/(?:runConfigurations|externalDependencies|watcherTasks|workspace|tools)|(?:^|\/)\.run\/|\.run\.xml$|(?:^|\/)\.externalToolBuilders\//i,
    /(?:^|\/)\.envrc[^/]*$|(?:^|\/)\.autoenv[^/]*$|(?:^|\/)\.?mise(?:\.[\w-]+){0,4}\.toml$|(?:^|\/)(?:\.config\/mise|\.mise|\.?mise-tasks)\/|(?:^|\/)\.?rtx\.toml$|(?:^|\/)\.tool-versions$|(?:^|\/)devbox\.json$|(?:^|\/)devenv\.nix$/i,
    /(?:^|\/)\.?mcp\.json$|(?:^|\/)\.(?:claude|codex|gemini|opencode|kiro|qwen|amp|windsurf|continue|roo|pi)\/|(?:^|\/)\.cursor\/(?:mcp|hooks|environment)\.json$|(?:^|\/)opencode\.jsonc?$|(?:^|\/)\.aider\.conf\.ya?ml$|^\.github\/hooks\//i,
    /(?:^|\/)\.(?:exrc|l?vimrc|nvimrc)$|(?:^|\/)\.nvim(?:\.lua|rc)$|(?:^|\/)\.dir-locals(?:-2)?\.el$/i,
  ],
  install: [
    /(?:^|\/)\.npmrc$|(?:^|\/)\.yarnrc(?:\.ya?ml)?$|(?:^|\/)\.pnpmfile\.[cm]?js$|(?:^|\/)pnpm-workspace\.yaml$|(?:^|\/)\.yarn\/(?:releases|plugins)\/|(?:^|\/)bunfig\.toml$|(?:^|\/)binding\.gyp$/i,
    /(?:^|\/)\.?pip\.conf$|(?:^|\/)\.pypirc$|(?:^|\/)\.condarc$|(?:^|\/)\.cargo\/config(?:\.toml)?$|(?:^|\/)\.bundle\/config$/i,
    /(?:^|\/)\.mvn\/(?:extensions\.xml|maven\.config|jvm\.config|settings\.xml|wrapper\/)|(?:^|\/)gradle\/wrapper\/|(?:^|\/)nuget\.config$/i,
  ],
  image: [
    /(?:^|\/)(?:Dockerfile|Containerfile)[^/]*$|\.(?:dockerfile|containerfile)$|(?:^|\/)(?:docker-)?compose[^/]*\.ya?ml$|(?:^|\/)docker-bake[^/]*\.(?:hcl|json)$|(?:^|\/)(?:Earthfile|Vagrantfile|Tiltfile)$/i,
  ],
  source: [/(?:^|\/)\.gitmodules$|(?:^|\/)\.lfsconfig$/i],
}
const kinds = Object.entries(names) as [RunsBy, readonly RegExp[]][]

/** Folders that are only partly in the list: if one is a link or a submodule, all of its files come from elsewhere. */
const folders: readonly (readonly [RunsBy, RegExp])[] = [
  ['ci', /^\.(?:github|gitea|forgejo|gitlab)$/i],
  ['hook', /^\.beads$/i],
  ['editor', /(?:^|\/)\.(?:vscode|theia|zed|fleet|vs|idea|cursor)$/i],
  ['install', /(?:^|\/)(?:\.cargo|\.mvn|\.yarn|\.bundle|gradle|wrapper)$/i],
]

/** No system can create a file with a longer path. */
const LONGEST = 4096
// eslint-disable-next-line no-misleading-character-class -- each by itself is looked for
const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Null: it runs where the project's code runs, or nowhere.
 *
 * @param isFolder it is a link or a submodule, which may replace a whole folder
 */
export function runsBy(path: string, isFolder = false): RunsBy | null {
  if (path.length > LONGEST) return null
  const name = seen(path)
  const found = (text: string) => kinds.find(([, some]) => some.some((one) => one.test(text)))?.[0] ?? null
  const byName = found(name)
  if (byName !== null || !isFolder) return byName
  return found(`${name}/`) ?? folders.find(([, one]) => one.test(name))?.[0] ?? null
}

/**
 * A path as other systems read it: macOS ignores invisible characters, and Windows dots and spaces at the end of a
 * name.
 */
const seen = (path: string): string => path.replace(UNSEEN, '').split('/').map(withoutEnd).join('/')

function withoutEnd(name: string): string {
  let end = name.length
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--
  return name.slice(0, end)
}
