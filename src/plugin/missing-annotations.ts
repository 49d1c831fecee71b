import { type AnnotationSpec, isAnnotationSpec, type TAnnotationsTree } from '@atscript/core'

type Annotations = AnnotationSpec | TAnnotationsTree

/**
 * What of `ours` is not in `theirs` yet. Merged over `theirs` it changes nothing that is there,
 * whether a name means one annotation there, a family of annotations (`@db.default.now`), or both.
 */
export function missingAnnotations(
  ours: TAnnotationsTree,
  theirs: TAnnotationsTree = {},
): TAnnotationsTree {
  const missing: TAnnotationsTree = {}
  for (const [name, our] of Object.entries(ours)) {
    const added = our && beside(our, theirs[name])
    if (added) missing[name] = added
  }
  return missing
}

function beside(our: Annotations, their: Annotations | undefined): Annotations | undefined {
  if (!their) return our
  if (isAnnotationSpec(our)) {
    return isAnnotationSpec(their) || their.$self ? undefined : { $self: our }
  }
  // A family is merged over a single annotation by replacing it, so theirs joins the family.
  return isAnnotationSpec(their) ? { ...our, $self: their } : missingAnnotations(our, their)
}
