import { inLanguage, type PublicRepository } from './public-repository.ts'

const script = inLanguage('javascript')

export const javascriptRepositories: readonly PublicRepository[] = [
  script(
    'motdotla/dotenv@2fc7eac8ad77cbd5f7814355c7fa352dbcf3c358',
    'npm, a script of four, tap',
    ['lib'],
    'npm run build && npx tap run tests/**/*.js --allow-empty-coverage --disable-coverage --timeout=60000',
  ),
  script(
    'expressjs/express@a3714473feb3d2908add734d340e7755fd85e0a3',
    'npm without a lock file, Mocha',
    ['lib'],
    'npx mocha --bail --require test/support/env --check-leaks test/ test/acceptance/',
  ),
  script(
    'markedjs/marked@681373ccc058b5dc93c1f63291d755d7d714c2fa',
    'npm, a script of eight, a devcontainer',
    ['src'],
    // Its lock file names an archive on GitHub.
    'npm run build && npm run test:specs && npm run test:unit',
    'github.com',
  ),
  script(
    'pmndrs/zustand@f094eebe9bd3b4b0d77b997f69ab1d273f69a877',
    'pnpm beside a package-lock.json, React, Vitest',
    ['src'],
    'npx vitest run --bail 1',
  ),
  script(
    'bvaughn/react-resizable-panels@a1eeb7aefdb024bb5879a323218e0ac05f77f28e',
    'pnpm, React, Vitest, Playwright',
    ['lib'],
    'npx vitest run --bail 1',
  ),
  script(
    '47ng/nuqs@6a9b78b538740c618e5be3128ab3c2b3029fa496',
    'pnpm and turbo, a monorepo',
    ['packages/nuqs/src'],
    'cd packages/nuqs && npx vitest run --bail 1',
  ),
  script('immerjs/immer@061c2425e1c9dff89e4e4189d42af1b7839dfe0a', 'Yarn 1', ['src'], 'npx vitest run --bail 1'),
  script(
    'reduxjs/reselect@93bb49091fc5e0e0569c745a7240df433548f386',
    'Yarn 4',
    ['src'],
    'node --expose-gc ./node_modules/vitest/dist/cli-wrapper.js --run --bail 1',
  ),
  script('elysiajs/elysia@8358ff9efbcedf9534995f5977f26b9ceab59329', 'Bun', ['src'], 'bun test --bail'),
  script(
    'alan2207/bulletproof-react@9506629ed003a561c6627735480cce4994244bb4',
    'apps/* without workspaces, Yarn 1, React, Vitest, Playwright',
    [
      'apps/react-vite/src/lib',
      'apps/react-vite/src/utils',
      'apps/react-vite/src/components',
      'apps/react-vite/src/features',
      'apps/react-vite/src/hooks',
    ],
    'cd apps/react-vite && npx vitest run --bail 1',
  ),
  script(
    'vintasoftware/django-react-boilerplate@26ae88fc50c4054425f4234ea8f627f266ee3de3',
    'root JavaScript with backend/ in Python, pnpm, Poetry',
    ['frontend/js'],
    'npx jest --bail',
  ),
  script(
    'vercel/swr@7173e55b2a175dee455612c5fa067383345c392f',
    'pnpm workspace, React, Jest, Playwright',
    ['src'],
    'npx jest --bail',
  ),
  script(
    'testing-library/react-testing-library@f32bd1b033d5e3989ae1cb490d515ce389c54e53',
    'npm without a lock file, React, scripts of a package of scripts',
    ['src'],
    'npx kcd-scripts test --watch=false --bail',
  ),
  script(
    'gothinkster/angular-realworld-example-app@987b6346f2476bbc4be0845917df1699ddf014b4',
    'npm, Angular, Vitest, Playwright',
    ['src/app'],
    'npx vitest run --bail 1',
  ),
  script(
    'ljharb/qs@3a890d4ecd3deb72a45d90be36f4f8c5970467c7',
    'npm without a lock file, tape',
    ['lib'],
    "npx tape 'test/**/*.js'",
  ),
  script('moment/luxon@b6b9d03709085008287ed7f4ce5067f0f4be53f2', 'npm, Jest', ['src'], 'npx jest --bail'),
  script(
    'pmndrs/jotai@1fae77247ae72ab5f2f002dc82a876e61ce26f56',
    'pnpm, React, Vitest, scripts by a pattern, a site of its own',
    ['src'],
    'npx vitest run --bail 1',
  ),
  script(
    't3-oss/t3-env@7d26a645904a8fa8712c16f31a4737a80e7066fd',
    'Bun workspaces, turbo, Vitest',
    ['packages/core/src'],
    'npx vitest run --bail 1',
  ),
  script(
    'changesets/changesets@5322174b2722b626161ca1b9c0889ede440b30b5',
    'pnpm workspaces, Vitest',
    ['packages'],
    'npx vitest run --bail 1',
  ),
  script(
    'reduxjs/redux@3084fc33bb23ab4cab4796172eafe342da4e73d9',
    'Yarn 4, Vitest, a site of its own',
    ['src'],
    'npx vitest --run --bail 1',
  ),
]
