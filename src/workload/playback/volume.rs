//! Where a file system puts things: address maps of FAT32 and NTFS on a freshly made volume.

use serde::{Deserialize, Serialize};

use super::script::{FileInfo, PAGE_BYTES, Script};
use super::spec::VolumeSpec;
use crate::units::{Extent, KIB, MIB, SECTOR_BYTES};
use crate::workload::WorkloadError;

const GIB: u64 = 1024 * MIB;
/// Most clusters of a FAT32 volume that Windows of the time mounts.
const FAT32_CLUSTERS_MAX: u64 = 4_177_918;
/// A volume with fewer clusters is FAT16 by definition.
const FAT32_CLUSTERS_MIN: u64 = 65_525;
/// Sectors before the first allocation table: boot sector, its copy, counts of free clusters.
const FAT32_RESERVED_SECTORS: u64 = 32;
/// An entry of the allocation table.
const FAT_ENTRY_BYTES: u64 = 4;
/// A record of the master file table.
const MFT_RECORD_BYTES: u64 = KIB;
/// Records that NTFS keeps for its own files.
const MFT_RECORDS_RESERVED: u64 = 24;
/// Pages at the start of the log that hold restart areas, and copies of its last page.
const LOG_HEAD_PAGES: u64 = 4;

/// The file systems.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum FileSystem {
    /// FAT32: a table of clusters in two copies near the start of the volume, directories among the files.
    #[serde(rename = "FAT32")]
    Fat32,
    /// NTFS 3.0: a master file table, a bitmap, directories as index buffers, and a log.
    #[serde(rename = "NTFS")]
    Ntfs,
}

impl FileSystem {
    /// Its name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            FileSystem::Fat32 => "FAT32",
            FileSystem::Ntfs => "NTFS",
        }
    }
}

impl std::fmt::Display for FileSystem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The cluster size that a volume of so many bytes gets by default.
///
/// FAT32 as Microsoft's format tools choose it: 512 B up to 260 MiB, 4 KiB to 8 GiB, 8 KiB to 16 GiB, 16 KiB to
/// 32 GiB, 32 KiB above. NTFS as Windows 2000 does (Microsoft KB 140365): 512 B up to 512 MiB, 1 KiB to 1 GiB, 2 KiB to
/// 2 GiB, 4 KiB above.
pub const fn cluster_bytes(file_system: FileSystem, volume_bytes: u64) -> u64 {
    match file_system {
        FileSystem::Fat32 => {
            if volume_bytes <= 260 * MIB {
                512
            } else if volume_bytes <= 8 * GIB {
                4 * KIB
            } else if volume_bytes <= 16 * GIB {
                8 * KIB
            } else if volume_bytes <= 32 * GIB {
                16 * KIB
            } else {
                32 * KIB
            }
        }
        FileSystem::Ntfs => {
            if volume_bytes <= 512 * MIB {
                512
            } else if volume_bytes <= GIB {
                KIB
            } else if volume_bytes <= 2 * GIB {
                2 * KIB
            } else {
                4 * KIB
            }
        }
    }
}

/// Something that is cached page by page: a file, a directory or a table of the file system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node {
    /// Its sectors, without gaps: the volume is new.
    pub extent: Extent,
    /// Distance to a second copy of every sector, which is written as well.
    pub copy: Option<u64>,
    /// One of the file system's own.
    pub structure: bool,
}

impl Node {
    pub fn pages(&self) -> u64 {
        self.extent.bytes().div_ceil(PAGE_BYTES)
    }
}

/// Where a file's own entries are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Entry {
    directory: u32,
    directory_page: u64,
}

/// A page of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Page {
    pub node: u32,
    pub page: u64,
}

/// The log of NTFS on the disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LogPlace {
    pub extent: Extent,
}

impl LogPlace {
    /// The sectors of page number `page` since the volume was made: the log goes round.
    pub fn page(&self, page: u64) -> Extent {
        let pages = self.extent.bytes() / PAGE_BYTES - LOG_HEAD_PAGES;
        self.at(LOG_HEAD_PAGES + page % pages)
    }
    /// The sectors of the restart area that checkpoint number `number` writes: two take turns.
    pub fn restart(&self, number: u64) -> Extent {
        self.at(number % 2)
    }
    fn at(&self, page: u64) -> Extent {
        const SECTORS: u64 = PAGE_BYTES / SECTOR_BYTES;
        Extent::new(self.extent.lba + page * SECTORS, SECTORS)
    }
}

/// A volume with the files of a recording on it, made or yet to be made.
#[derive(Clone, Debug)]
pub struct Volume {
    file_system: FileSystem,
    cluster_sectors: u64,
    /// First sector of cluster number 0.
    clusters_at: u64,
    end: u64,
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    /// The node of the first file; files follow each other.
    first_file: u32,
    log: Option<LogPlace>,
}

/// The table of clusters (FAT32) or the master file table (NTFS).
const TABLE: u32 = 0;
/// NTFS: the bitmap of clusters.
const BITMAP: u32 = 1;

impl Volume {
    /// Makes a volume in the sectors `start..end` of an array and lays out the files of a recording.
    ///
    /// # Errors
    /// A volume that is too small for the files, or outside the limits of its file system.
    pub(super) fn new(
        file_system: FileSystem,
        spec: &VolumeSpec,
        (start, end): (u64, u64),
        script: &Script,
    ) -> Result<Volume, WorkloadError> {
        let start = start + spec.partition_start_sectors;
        let mut volume = match file_system {
            FileSystem::Fat32 => Self::fat32(start, end)?,
            FileSystem::Ntfs => Self::ntfs(start, end, spec, script.files.len() as u64)?,
        };
        let mut layout = Layout { next: volume.first_free(), volume: &mut volume };
        layout.files(spec, &script.files);
        let needed_end = layout.next.max(volume.log.map_or(0, |log| log.extent.end()));
        if needed_end > end {
            let mib = |sectors: u64| (sectors * SECTOR_BYTES).div_ceil(MIB);
            return Err(WorkloadError::VolumeTooSmall {
                file_system: file_system.name(),
                given_mib: mib(end.saturating_sub(start)),
                needed_mib: mib(needed_end.saturating_sub(start)),
            });
        }
        Ok(volume)
    }

    fn empty(file_system: FileSystem, cluster_sectors: u64, clusters_at: u64, end: u64) -> Volume {
        Volume {
            file_system,
            cluster_sectors,
            clusters_at,
            end,
            nodes: Vec::new(),
            entries: Vec::new(),
            first_file: 0,
            log: None,
        }
    }

    /// Reserved sectors, two tables, clusters from number 2 on. The tables' size is that of Microsoft's FAT
    /// specification, which rounds up generously.
    fn fat32(start: u64, end: u64) -> Result<Volume, WorkloadError> {
        let sectors = end.saturating_sub(start);
        let cluster_sectors = cluster_bytes(FileSystem::Fat32, sectors * SECTOR_BYTES) / SECTOR_BYTES;
        let entries_of_both = (256 * cluster_sectors + 2) / 2;
        let table_sectors = sectors.saturating_sub(FAT32_RESERVED_SECTORS).div_ceil(entries_of_both);
        let data = start + FAT32_RESERVED_SECTORS + 2 * table_sectors;
        let clusters = end.saturating_sub(data) / cluster_sectors;
        if clusters < FAT32_CLUSTERS_MIN {
            return Err(WorkloadError::Fat32TooSmall { clusters, least: FAT32_CLUSTERS_MIN });
        }
        if clusters > FAT32_CLUSTERS_MAX {
            return Err(WorkloadError::Fat32TooLarge { clusters, most: FAT32_CLUSTERS_MAX });
        }
        let end = data + clusters * cluster_sectors;
        let mut volume = Self::empty(FileSystem::Fat32, cluster_sectors, data - 2 * cluster_sectors, end);
        let table = Extent::new(start + FAT32_RESERVED_SECTORS, table_sectors);
        volume.nodes.push(Node { extent: table, copy: Some(table_sectors), structure: true });
        Ok(volume)
    }

    fn ntfs(start: u64, end: u64, spec: &VolumeSpec, files: u64) -> Result<Volume, WorkloadError> {
        let sectors = end.saturating_sub(start);
        let cluster_sectors = cluster_bytes(FileSystem::Ntfs, sectors * SECTOR_BYTES) / SECTOR_BYTES;
        let clusters = sectors / cluster_sectors;
        let mut volume =
            Self::empty(FileSystem::Ntfs, cluster_sectors, start, start + clusters * cluster_sectors);
        let directories = files.div_ceil(spec.directory_files);
        let records = MFT_RECORDS_RESERVED + files + directories;
        let structure = |extent| Node { extent, copy: None, structure: true };
        let mft = volume.extent_at(spec.ntfs.mft_cluster, records * MFT_RECORD_BYTES);
        volume.nodes.push(structure(mft));
        // The bitmap is the first thing behind what is kept for the master file table.
        let bitmap = volume.extent_at(volume.zone_end(spec, mft), clusters.div_ceil(8));
        volume.nodes.push(structure(bitmap));
        let log_bytes = (spec.ntfs.log_kib * KIB).min(sectors * SECTOR_BYTES / 100).max(16 * PAGE_BYTES);
        let log_cluster = (clusters as f64 * spec.ntfs.log_start_percent / 100.0) as u64;
        let log_clusters = log_bytes.div_ceil(cluster_sectors * SECTOR_BYTES);
        let behind_bitmap = (bitmap.end() - start).div_ceil(cluster_sectors);
        let log_cluster = log_cluster.min(clusters.saturating_sub(log_clusters)).max(behind_bitmap);
        volume.log = Some(LogPlace { extent: volume.extent_at(log_cluster, log_bytes) });
        Ok(volume)
    }

    /// The cluster behind the zone of the master file table.
    fn zone_end(&self, spec: &VolumeSpec, mft: Extent) -> u64 {
        let clusters = (self.end - self.clusters_at) / self.cluster_sectors;
        let zone = (clusters as f64 * spec.ntfs.mft_zone_percent / 100.0) as u64;
        let mft_end = (mft.end() - self.clusters_at).div_ceil(self.cluster_sectors);
        mft_end.max(spec.ntfs.mft_cluster + zone)
    }

    /// Whole clusters for so many bytes from a cluster on.
    fn extent_at(&self, cluster: u64, bytes: u64) -> Extent {
        let clusters = bytes.div_ceil(self.cluster_sectors * SECTOR_BYTES).max(1);
        Extent::new(self.clusters_at + cluster * self.cluster_sectors, clusters * self.cluster_sectors)
    }

    /// The sector where the first directory may go.
    fn first_free(&self) -> u64 {
        match self.file_system {
            FileSystem::Fat32 => self.clusters_at + 2 * self.cluster_sectors,
            FileSystem::Ntfs => self.nodes[BITMAP as usize].extent.end(),
        }
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }
    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }
    /// The node of a file of the recording.
    pub(super) fn file(&self, file: u32) -> u32 {
        self.first_file + file
    }
    pub(super) fn log(&self) -> Option<LogPlace> {
        self.log
    }

    /// Pages that opening a file reads: its directory's, and its record in the master file table.
    pub(super) fn lookup(&self, file: u32, pages: &mut Vec<Page>) {
        let entry = self.entries[file as usize];
        pages.push(Page { node: entry.directory, page: entry.directory_page });
        match self.file_system {
            FileSystem::Fat32 => pages.push(self.table_page(file, 0)),
            FileSystem::Ntfs => pages.push(self.record_page(file)),
        }
    }

    /// Pages that change when a file that is being made gets room for the bytes `offset..end`.
    pub(super) fn allocation(&self, file: u32, offset: u64, end: u64, pages: &mut Vec<Page>) {
        match self.file_system {
            FileSystem::Fat32 => {
                let (first, last) = (self.table_page(file, offset), self.table_page(file, end - 1));
                pages.extend((first.page..=last.page).map(|page| Page { node: TABLE, page }));
            }
            FileSystem::Ntfs => {
                let page = |offset| self.cluster_of(file, offset) / 8 / PAGE_BYTES;
                let range = page(offset)..=page(end - 1);
                pages.extend(range.map(|page| Page { node: BITMAP, page }));
                pages.push(self.record_page(file));
            }
        }
    }

    /// Pages that change when a file's size or dates do.
    pub(super) fn attributes(&self, file: u32, pages: &mut Vec<Page>) {
        let entry = self.entries[file as usize];
        pages.push(Page { node: entry.directory, page: entry.directory_page });
        if self.file_system == FileSystem::Ntfs {
            pages.push(self.record_page(file));
        }
    }

    fn cluster_of(&self, file: u32, offset: u64) -> u64 {
        let extent = self.node(self.file(file)).extent;
        (extent.lba + offset / SECTOR_BYTES - self.clusters_at) / self.cluster_sectors
    }

    fn table_page(&self, file: u32, offset: u64) -> Page {
        Page { node: TABLE, page: self.cluster_of(file, offset) * FAT_ENTRY_BYTES / PAGE_BYTES }
    }

    fn record_page(&self, file: u32) -> Page {
        let record = MFT_RECORDS_RESERVED + u64::from(file);
        Page { node: TABLE, page: record * MFT_RECORD_BYTES / PAGE_BYTES }
    }
}

/// Fills a volume from one end.
struct Layout<'a> {
    volume: &'a mut Volume,
    /// The next free sector.
    next: u64,
}

impl Layout<'_> {
    /// Every directory in front of its files.
    fn files(&mut self, spec: &VolumeSpec, files: &[FileInfo]) {
        let per_directory = spec.directory_files.max(1);
        let entry_bytes = match self.volume.file_system {
            FileSystem::Fat32 => spec.fat_entry_bytes,
            FileSystem::Ntfs => spec.ntfs.index_entry_bytes,
        };
        let directories = (files.len() as u64).div_ceil(per_directory);
        let first_directory = self.volume.nodes.len() as u32;
        self.volume.first_file = first_directory + directories as u32;
        let mut file_extents = Vec::with_capacity(files.len());
        for (directory, group) in (first_directory..).zip(files.chunks(per_directory as usize)) {
            let extent = self.place(per_directory * entry_bytes);
            self.volume.nodes.push(Node { extent, copy: None, structure: true });
            for (index, file) in (0..).zip(group) {
                file_extents.push(self.place(file.bytes));
                let directory_page = index * entry_bytes / PAGE_BYTES;
                self.volume.entries.push(Entry { directory, directory_page });
            }
        }
        let file = |extent| Node { extent, copy: None, structure: false };
        self.volume.nodes.extend(file_extents.into_iter().map(file));
    }

    /// The next free clusters; the log of NTFS is stepped over.
    fn place(&mut self, bytes: u64) -> Extent {
        let cluster = (self.next - self.volume.clusters_at) / self.volume.cluster_sectors;
        let mut extent = self.volume.extent_at(cluster, bytes);
        if let Some(log) = self.volume.log.filter(|log| log.extent.overlaps(extent)) {
            extent.lba = log.extent.end();
        }
        self.next = extent.end();
        extent
    }
}
