#pragma once
// Checkpoints as files: JSON, in which every number comes back with the same bits.

#include <istream>
#include <string>

#include "core/report/checkpoint.hpp"

namespace daewave::io {

/// The text of a file. @throws nothing but for lack of memory.
std::string checkpoint_json(const Checkpoint& checkpoint);

/// Replaces `path` in one step: whatever happens, the old file or the new one is there, whole.
/// @throws FileError, and then `path` is as it was.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

/// Of a text. @param name  of it, for messages.
/// @throws FileError as read_checkpoint().
Checkpoint checkpoint_from(std::istream& text, const std::string& name);

/// @throws FileError where the file cannot be read, is no checkpoint, is one of another version, or
///         was changed since it was written; says what is wrong in it.
Checkpoint read_checkpoint(const std::string& path);

}  // namespace daewave::io
