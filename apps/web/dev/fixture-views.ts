import type { ChangeSavedView, NewSavedView, SavedView } from '@beadloom/core/api/projects/saved-views-api.ts'
import type { FixtureProject } from './fixture-data.ts'

const start: SavedView[] = [
  { id: 1, name: 'What needs me', search: 'state=blocked%2Cfailed%2Ctimeout', isDefault: false, forAll: false },
  { id: 2, name: 'By priority', search: 'group=priority', isDefault: false, forAll: true },
  {
    id: 3,
    name: '<b>A name that somebody wrote</b> \u202Egnol dna that does not end where one would',
    search: 'q=date&view=list&sort=-age',
    isDefault: false,
    forAll: true,
  },
]
/** Kept for each project until the server ends. */
const known = new WeakMap<FixtureProject, SavedView[]>()

type Asked = { project: FixtureProject; method: string; path: string[]; body: unknown }

export function handleViews(
  { project, method, path, body }: Asked,
  answer: (status: number, value: unknown) => void,
  refuse: (status: number, code: string, message: string) => void,
): void {
  const all = known.get(project) ?? (project.view.id === 'wordcraft' ? start.map((view) => ({ ...view })) : [])
  known.set(project, all)
  const view = all.find(({ id }) => id === Number(path[3]))
  if (method === 'POST') {
    const { name, search, forAll = false, isDefault = false } = body as NewSavedView
    if (all.some((one) => one.name === name && one.forAll === forAll))
      return refuse(409, 'name_taken', `there is a saved view "${name}" already.`)
    if (isDefault) for (const one of all) if (one.forAll === forAll) one.isDefault = false
    all.push({ id: Math.max(0, ...all.map(({ id }) => id)) + 1, name, search, forAll, isDefault })
  } else if (method === 'PATCH' && view) {
    const { before, ...change } = body as ChangeSavedView
    if (change.isDefault) for (const one of all) if (one.forAll === view.forAll) one.isDefault = false
    Object.assign(view, change)
    if (before !== undefined) {
      all.splice(all.indexOf(view), 1)
      const at = all.findIndex(({ id }) => id === before)
      all.splice(at < 0 ? all.length : at, 0, view)
    }
  } else if (method === 'DELETE' && view) all.splice(all.indexOf(view), 1)
  answer(method === 'POST' ? 201 : 200, {
    items: all.toSorted((a, b) => Number(a.forAll) - Number(b.forAll)),
  })
}
