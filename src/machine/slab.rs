//! Storage for things that come and go, named by small numbers.

/// A slab: values with reusable slots. A freed value stays in place until its slot is used again, so that what it
/// had allocated can be reused.
#[derive(Clone, Debug)]
pub(super) struct Slab<T> {
    values: Vec<T>,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab { values: Vec::new(), free: Vec::new() }
    }
}

impl<T> Slab<T> {
    /// Stores a value.
    pub fn insert(&mut self, value: T) -> u32 {
        match self.free.pop() {
            Some(index) => {
                self.values[index as usize] = value;
                index
            }
            None => {
                self.values.push(value);
                (self.values.len() - 1) as u32
            }
        }
    }
    /// Frees a slot.
    pub fn remove(&mut self, index: u32) {
        self.free.push(index);
    }
    /// Number of values in use.
    pub fn len(&self) -> usize {
        self.values.len() - self.free.len()
    }
}

impl<T: Default> Slab<T> {
    /// A slot with whatever its last user left in it.
    pub fn reuse(&mut self) -> u32 {
        match self.free.pop() {
            Some(index) => index,
            None => self.insert(T::default()),
        }
    }
}

impl<T> std::ops::Index<u32> for Slab<T> {
    type Output = T;
    fn index(&self, index: u32) -> &T {
        &self.values[index as usize]
    }
}

impl<T> std::ops::IndexMut<u32> for Slab<T> {
    fn index_mut(&mut self, index: u32) -> &mut T {
        &mut self.values[index as usize]
    }
}
