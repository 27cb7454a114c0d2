// @suite dashboard
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { git, writeFiles } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onStage } from './support/stage.ts'

/*
 * The diff for a reviewer: 300 files and 19,800 lines of a running bead, whose branch grows and is rewritten meanwhile.
 * The tests count the browser's elements and the server's requests.
 */
const FILES = 300
const LINES = 66
const agent = `cat > /dev/null
mkdir -p many
for i in $(seq -w 0 ${FILES - 1}); do seq 1 ${LINES} | sed "s/^/$i line /" > many/file-$i.txt; done
${commitAndPush('df-1', 'Many')}echo pushed
i=0; while :; do i=$((i+1)); echo "tick $i"; sleep 0.5; done`

const start = async () => {
  const world = await World.start({ engine: 'process' })
  await world.addProject('many', shellProject({ agent }), [{ id: 'df-1', title: 'Many files' }])
  const run = await world.queue('many', 'df-1')
  await world.printed(run.id, 'pushed')
  return world
}

const lines = (name: string, extra: string[] = []): string =>
  [...extra, ...Array.from({ length: LINES }, (_, at) => `${name} line ${at + 1}`), ''].join('\n')

/** Rewrites the branch: another commit replaces the agent's. */
function rewrite(world: World, branch: string, files: Record<string, string>): void {
  const hub = join(world.data, 'hub', 'many.git')
  const tree = join(world.newFolder('rewritten'), 'tree')
  git(world.folder, 'clone', '--quiet', '--branch', branch, hub, tree)
  writeFiles(tree, files)
  git(tree, 'add', '--all')
  git(tree, 'commit', '--quiet', '--amend', '--message', 'Another one')
  git(hub, 'fetch', '--quiet', tree, `+HEAD:refs/heads/${branch}`)
}

const surface = (page: Page) => page.locator('[data-diff-surface]')
const list = (page: Page) => page.getByRole('navigation', { name: 'Changed files' })
const inList = (page: Page, name: string) => list(page).getByRole('treeitem', { name })

/** The lines' places on the screen, by their text. */
const places = (page: Page): Promise<Record<string, number>> =>
  surface(page).evaluate((pane) => {
    const { top, bottom } = pane.getBoundingClientRect()
    return Object.fromEntries(
      [...pane.querySelectorAll('[data-kind]')].flatMap((row): [string, number][] => {
        const y = row.getBoundingClientRect().top
        return y >= top + 36 && y < bottom - 20 ? [[row.lastElementChild?.textContent ?? '', Math.round(y)]] : []
      }),
    )
  })

onStage('a person who reads a large diff that is still being written', start, (stage) => {
  test('sees the list before the patches, and the page holds only the nearby ones', async () => {
    const { page } = await stage.open({ size: { width: 1280, height: 900 } })
    const patches: string[] = []
    page.on('request', (request) => {
      const path = new URL(request.url()).searchParams.get('path')
      if (path !== null) patches.push(path)
    })
    await page.goto(`${stage.world.server.url}/p/many/b/df-1?tab=diff`)
    await page.getByText('300 files').waitFor()
    await surface(page).getByText('000 line 1', { exact: true }).waitFor()
    expect(patches.length).toBeLessThan(5)
    const drawn = () => page.locator('[data-index], nav [role=treeitem]').count()
    expect(await drawn()).toBeLessThan(200)

    await list(page).getByLabel('Filter changed files').fill('file-299')
    await page.keyboard.press('Enter')
    await surface(page).getByText('299 line 1', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('file')).toBe('many/file-299.txt')
    expect(await drawn()).toBeLessThan(200)
    // Files between the first and the last are not requested.
    expect(patches.length).toBeLessThan(12)
    // Scrolling past requests nothing; the patch is read where scrolling stops.
    const before = patches.length
    await surface(page).evaluate(async (pane) => {
      for (let n = 1; n <= 40; n++) {
        pane.scrollTop = n * 5000
        await new Promise((drawn) => requestAnimationFrame(drawn))
      }
    })
    const rest = () => surface(page).locator('[data-kind=added]').count()
    await expect.poll(rest).toBeGreaterThan(10)
    // Every step has two new files; a busy machine may stop between some.
    expect(patches.length - before).toBeLessThan(40)
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('sees nothing move until Update, which keeps the line that is read; a viewed mark lasts until its file changes', async () => {
    const { page } = await stage.open({ size: { width: 1280, height: 900 } })
    await page.goto(`${stage.world.server.url}/p/many/b/df-1?tab=diff`)
    await surface(page).getByText('000 line 1', { exact: true }).waitFor()
    await surface(page).focus()
    await page.keyboard.press('v') // file 0, which will change
    await page.keyboard.press('n')
    await page.keyboard.press('v') // file 1, which will not
    await inList(page, 'file-000').getByLabel('viewed').waitFor()
    await inList(page, 'file-001').getByLabel('viewed').waitFor()
    await inList(page, 'file-003').click()
    await surface(page).getByText('003 line 30', { exact: true }).waitFor()
    await surface(page).evaluate((pane) => pane.scrollBy(0, 410))
    await surface(page).getByText('003 line 40', { exact: true }).waitFor()
    const before = await places(page)
    const [read] = Object.entries(before).toSorted((a, b) => a[1] - b[1])
    expect(read?.[0]).toMatch(/^003 line \d+$/)

    const { items } = await stage.world.get<{ items: { branch: string }[] }>('/api/executions?project=many')
    rewrite(stage.world, items[0]?.branch ?? '', {
      'many/aaa.ts': 'const first = "one" // comes first\n',
      'many/file-000.txt': lines('000', ['new']),
      'many/file-003.txt': lines('003', ['one', 'two']),
    })
    await page.getByText('Branch moved: 3 files changed').waitFor()
    expect(await places(page)).toEqual(before)
    expect(await violationsInBothThemes(page)).toEqual([])

    await page.keyboard.press('u')
    await page.getByText('301 files').waitFor()
    await page.getByText('Branch moved').waitFor({ state: 'detached' })
    expect((await places(page))[read?.[0] ?? '']).toBe(read?.[1])
    await surface(page).evaluate((pane) => pane.scrollBy(0, -800))
    await surface(page).getByText('two', { exact: true }).waitFor()

    const marks = async () => {
      await inList(page, 'file-001').getByLabel('viewed').waitFor()
      expect(await inList(page, 'file-000').getByLabel('viewed').count()).toBe(0)
    }
    await marks()

    // A worker, allowed by the content policy, colours its code, as text and not as markup.
    await inList(page, 'aaa.ts').click()
    const code = surface(page).locator('[data-kind=added]', { hasText: 'comes first' })
    await code.locator('span span', { hasText: /^const$/ }).waitFor()
    await code.locator('span span', { hasText: '// comes first' }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.reload()
    await page.getByText('301 files').waitFor()
    await marks()
  })

  test('goes through the files as a tree, by keys alone', async () => {
    const { page } = await stage.open({ size: { width: 1280, height: 900 } })
    await page.goto(`${stage.world.server.url}/p/many/b/df-1?tab=diff`)
    await surface(page)
      .getByText(/line 1$/)
      .first()
      .waitFor()
    const tree = list(page).getByRole('tree')
    const folder = tree.getByRole('treeitem', { name: 'many' })
    await tree.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    await folder.and(page.locator('[aria-expanded=false]')).waitFor()
    expect(await tree.getByRole('treeitem').count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('End')
    const last = inList(page, 'file-299')
    await last.waitFor()
    const active = () => tree.getAttribute('aria-activedescendant')
    expect(await active()).toBe(await last.getAttribute('id'))
    await page.keyboard.press('Enter')
    await surface(page).getByText('299 line 1', { exact: true }).waitFor()
    await last.and(page.locator('[aria-selected=true]')).waitFor()
    await page.keyboard.press('ArrowLeft')
    expect(await active()).toBe(await folder.getAttribute('id'))
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('links to a line, finds it in both arrangements, and goes from change to change by keys', async () => {
    const link = `${stage.world.server.url}/p/many/b/df-1?tab=diff&file=many%2Ffile-150.txt&at=60`
    const { page } = await stage.open({ size: { width: 1280, height: 900 } })
    await page.goto(link)
    const line = surface(page).getByText('150 line 60', { exact: true })
    await line.waitFor()
    const y = async () => (await line.boundingBox())?.y
    await page.keyboard.press('s')
    await surface(page).locator('[data-kind=added] + *, [data-kind=added]').first().waitFor()
    await page.getByRole('button', { name: 'Split', pressed: true }).waitFor()
    expect(await y()).toBeLessThan(900)
    await page.keyboard.press('s')
    await page.getByRole('button', { name: 'Split', pressed: false }).waitFor()
    await line.waitFor()
    await page.keyboard.press('j')
    await surface(page).getByText('151 line 1', { exact: true }).waitFor()
    await page.keyboard.press('k')
    await surface(page).getByText('150 line 1', { exact: true }).waitFor()
    await surface(page).getByText('7', { exact: true }).first().click()
    expect(new URL(page.url()).searchParams.get('at')).toBe('7')
  })

  test('sees one commit by itself, by its address, and is told if it is gone', async () => {
    const { page } = await stage.open({ size: { width: 1280, height: 900 } })
    const link = `${stage.world.server.url}/p/many/b/df-1?tab=diff`
    await page.goto(link)
    const menu = page.getByLabel('Compare')
    await menu.locator('option').nth(1).waitFor({ state: 'attached' })
    await menu.selectOption({ index: 1 })
    await page.waitForURL(/[?&]commit=%?2?2?[0-9a-f]{7}/)
    await surface(page)
      .getByText(/line 1$/)
      .first()
      .waitFor()
    await page.reload()
    await surface(page)
      .getByText(/line 1$/)
      .first()
      .waitFor()
    expect(await menu.inputValue()).toMatch(/^commit [0-9a-f]{40}$/)
    await page.goto(`${link}&commit=abcdef0`)
    await page.getByText(/^abcdef0 is no longer on the branch/).waitFor()
    await surface(page)
      .getByText(/line 1$/)
      .first()
      .waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })
})
