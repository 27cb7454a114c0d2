/** A program or service that runs a file, or obeys it. */
export type RunsBy = 'ci' | 'rules' | 'hook' | 'editor' | 'install' | 'image' | 'source'

const names: readonly (readonly [RunsBy, RegExp])[] = [
  [
    'ci',
    /^\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|(?:^|\/)action\.ya?ml$|(?:^|\/)\.gitlab-ci[^/]*\.ya?ml$|^\.gitlab\/ci\/|^\.(?:circleci|buildkite|semaphore|teamcity|tekton|woodpecker|azure-pipelines|azuredevops|harness)\/|(?:^|\/)Jenkinsfile[^/]*$|\.jenkinsfile$|(?:^|\/)azure-pipelines[^/]*\.ya?ml$|^\.(?:travis|drone|woodpecker|cirrus|appveyor|build)\.ya?ml$|^\.drone\.(?:star|jsonnet)$|^\.cirrus\.star$|^(?:appveyor|bitbucket-pipelines|cloudbuild|buildspec|codemagic|wercker|bitrise|heroku|render|app)\.ya?ml$|^(?:netlify|fly)\.toml$|^vercel\.json$|^Procfile$/i,
  ],
  [
    'rules',
    /^(?:\.github\/|\.gitlab\/|docs\/|\.gitea\/|\.forgejo\/)?CODEOWNERS$|^\.github\/(?:dependabot|settings|mergify|auto_assign)\.ya?ml$|^\.mergify\.ya?ml$|^(?:\.github\/|\.gitlab\/)?\.?renovate(?:rc)?(?:\.json5?)?$/i,
  ],
  [
    'hook',
    /(?:^|\/)\.(?:husky|githooks|git-hooks|hooks)\/|^(?:githooks|git-hooks|hooks)\/|(?:^|\/)\.?lefthook(?:-local)?\.(?:ya?ml|toml|json)$|(?:^|\/)\.pre-commit-(?:config|hooks)\.yaml$|(?:^|\/)\.overcommit\.yml$|^\.overcommit\/|^\.beads\/hooks\/|(?:^|\/)\.?simple-git-hooks\.[cm]?js(?:on)?$|(?:^|\/)\.lintstagedrc/i,
  ],
  [
    'editor',
    /(?:^|\/)\.devcontainer\/|(?:^|\/)\.devcontainer\.json$|(?:^|\/)\.vscode\/(?:tasks|launch|settings|mcp|extensions)\.json$|\.code-workspace$|(?:^|\/)\.idea\/(?:runConfigurations|externalDependencies|watcherTasks)|(?:^|\/)\.envrc$|(?:^|\/)\.?mise(?:\.local)?\.toml$|^\.mise\/|^\.gitpod\.(?:yml|Dockerfile)$|(?:^|\/)\.?mcp\.json$|(?:^|\/)\.(?:claude|codex|gemini)\/|(?:^|\/)\.cursor\/(?:mcp|hooks)\.json$|(?:^|\/)\.exrc$|(?:^|\/)\.nvim\.lua$|(?:^|\/)\.dir-locals\.el$/i,
  ],
  [
    'install',
    /(?:^|\/)\.npmrc$|(?:^|\/)\.yarnrc(?:\.yml)?$|(?:^|\/)\.pnpmfile\.[cm]?js$|^\.yarn\/(?:releases|plugins)\/|(?:^|\/)bunfig\.toml$|(?:^|\/)binding\.gyp$|(?:^|\/)\.?pip\.conf$|(?:^|\/)\.pypirc$|(?:^|\/)\.cargo\/config(?:\.toml)?$|(?:^|\/)\.mvn\/(?:extensions\.xml|maven\.config|jvm\.config|settings\.xml|wrapper\/)|(?:^|\/)gradle\/wrapper\/|(?:^|\/)nuget\.config$|(?:^|\/)\.bundle\/config$|(?:^|\/)\.condarc$/i,
  ],
  [
    'image',
    /(?:^|\/)(?:Dockerfile|Containerfile)[^/]*$|\.(?:dockerfile|containerfile)$|(?:^|\/)(?:docker-)?compose[^/]*\.ya?ml$|(?:^|\/)docker-bake\.(?:hcl|json)$/i,
  ],
  ['source', /(?:^|\/)\.gitmodules$|(?:^|\/)\.lfsconfig$/i],
]

/** Null: it runs where the project's code runs, or nowhere. */
export const runsBy = (path: string): RunsBy | null => names.find(([, name]) => name.test(path))?.[0] ?? null

/** A package's file may have scripts that run where it is installed; its patch says whether one of them changes. */
export const mayInstall = (path: string): boolean => /(?:^|\/)package\.json$/.test(path)

const SCRIPT =
  /"(?:(?:pre|post)?install|(?:pre|post)?prepare|prepublish|dependencies|preuninstall|uninstall|postuninstall)"\s*:\s*"/

/** Whether a patch without context adds, changes or removes a script that an installation runs. */
export const changesInstall = (patch: string): boolean =>
  patch.split('\n').some((line) => /^[+-](?![+-]{2} )/.test(line) && SCRIPT.test(line))
